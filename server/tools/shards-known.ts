const each_by_itself = 'there each event is written by itself'

/** Statements that a database whose tenants are divided is not sent, and what is done there instead. */
export const not_where_divided: Record<string, string> = {
  'events.recordEvents': each_by_itself,
  'events.placeEvents': 'a database is divided when each event of a former version has its place',
  'organizations.savePassed': 'there each organization is asked by itself',
  'webhook-deliveries.claimDeliveries':
    'there deliveries are claimed alone, and their events read of each organization',
  'webhook-deliveries.makeDeliveries': 'there deliveries are made alone, and their events read of each organization',
}

/** Statements that run on all shards, and why. */
export const on_purpose: Record<string, string> = {
  'events.positionsOf': 'who waits for events of many organizations asks for all at once',
  'claim.findLastEmployer': 'asked once, when a process starts, of any row',
}
