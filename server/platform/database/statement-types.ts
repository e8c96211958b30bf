export type StatementTypes = {}
