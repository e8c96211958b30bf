import type { Day } from '../../../kernel/days.ts'
import { generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { whyNotEmployed } from '../elections/rules.ts'
import { refusals } from './rules.ts'

const most_attachments = 5

/** Why there can't be one more. */
const enough = new Refusal(generic.conflict, [
  { field: '', message: `a life event has at most ${most_attachments} attachments` },
])

/** What is taken, with the ending of its names, and its first bytes from a place on. */
const kinds: { content_type: string; ending: string; at: number; beginnings: string[] }[] = [
  { content_type: 'application/pdf', ending: 'pdf', at: 0, beginnings: ['%PDF-'] },
  { content_type: 'image/png', ending: 'png', at: 0, beginnings: ['\x89PNG\r\n\x1a\n'] },
  { content_type: 'image/jpeg', ending: 'jpg', at: 0, beginnings: ['\xff\xd8\xff'] },
  { content_type: 'image/webp', ending: 'webp', at: 8, beginnings: ['WEBPVP8'] },
  { content_type: 'image/heic', ending: 'heic', at: 4, beginnings: ['ftypheic', 'ftypheix', 'ftypmif1'] },
]

const longest_beginning = 16

/** What a file is, by what it holds and whatever it is called; undefined when it is nothing that is taken. */
export function contentTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, longest_beginning)).toString('latin1')
  return kinds.find(({ at, beginnings }) => beginnings.some((beginning) => start.startsWith(beginning, at)))
    ?.content_type
}

/** A name of ours for a file, which no system takes for more than it is. */
export const fileNameOf = (id: string, content_type: string): string =>
  `${id}.${kinds.find((kind) => kind.content_type === content_type)!.ending}`

/** What decides whether something may be attached to a life event, or taken off again. */
export type Attachable = { decision: string | null; attachment_count: number; terminated_on: Day | null }

const whyDecided = ({ decision }: Pick<Attachable, 'decision'>): RefusalKind | undefined =>
  decision === null ? undefined : refusals.life_event_already_decided

/** Why nothing can be attached: the employment has ended, it was decided about, or there are enough. Each is a 409. */
export function whyNotAttach(
  { decision, attachment_count, terminated_on }: Attachable,
  today: Day,
): Refusal | RefusalKind | undefined {
  const ended = whyNotEmployed({ terminated_on }, today)
  if (ended) return ended
  return whyDecided({ decision }) ?? (attachment_count >= most_attachments ? enough : undefined)
}

/**
 * Why a document can't be taken off. Employees may until it was decided, and while they are employed; their
 * organization may always, also when somebody wants to be forgotten.
 */
export const whyNotDetach = (about: Attachable, is_own: boolean, today: Day): RefusalKind | undefined =>
  is_own ? (whyNotEmployed(about, today) ?? whyDecided(about)) : undefined
