import { formatTime, type Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { type ErrorEntry, GoogleError, notFound } from './google-error.ts'
import { PROJECT, selfLink } from './names.ts'

/** A change that the fake carries out, and its result. */
export interface OperationPlan {
  readonly zone: string
  readonly type: 'insert' | 'delete' | 'setLabels'
  /** The path of the resource. */
  readonly target: string
  /** How long the change takes. */
  readonly takes: Milliseconds
  /** The error with which the operation ends. Absent if it succeeds. */
  readonly failure?: { readonly status: number; readonly errors: readonly ErrorEntry[] }
  readonly requestId?: string
}

interface Kept extends OperationPlan {
  readonly name: string
  readonly id: string
  readonly startedAt: Milliseconds
  readonly endsAt: Milliseconds
}

/** How long the service recognises a repeated request id (parameter `requestId` in the API description). */
const REMEMBERED: Milliseconds = 60 * 60_000
const REQUEST_ID = /^(?!0{8}-0{4}-0{4}-0{4}-0{12}$)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HTTP_MESSAGES: ReadonlyMap<number, string> = new Map([
  [403, 'FORBIDDEN'],
  [503, 'SERVICE UNAVAILABLE'],
])

/** The zone operations of the fake. */
export class FakeOperations {
  readonly #clock: Clock
  readonly #operations = new Map<string, Kept>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the earlier operation with the same request id, because the service executes each request only once. */
  earlier(requestId: string | null, target: string): object | undefined {
    if (requestId === null) return undefined
    if (!REQUEST_ID.test(requestId))
      throw new GoogleError(400, 'invalid', `Invalid value for field 'requestId': '${requestId}'. Must be a UUID.`)
    const now = this.#clock.monotonic()
    const kept = [...this.#operations.values()].find(
      (each) => each.requestId === requestId && now - each.startedAt < REMEMBERED,
    )
    if (kept === undefined) return undefined
    if (kept.target !== target)
      throw new GoogleError(400, 'invalid', `The request id ${requestId} was used for ${kept.target}.`)
    return this.#body(kept)
  }

  start(plan: OperationPlan): object {
    const now = this.#clock.monotonic()
    const id = `${1_000 + this.#operations.size}`
    const kept = { ...plan, id, name: `operation-${id}`, startedAt: now, endsAt: now + plan.takes }
    this.#operations.set(`${plan.zone}/${kept.name}`, kept)
    return this.#body(kept)
  }

  get(zone: string, name: string): object {
    const kept = this.#operations.get(`${zone}/${name}`)
    if (kept === undefined) throw notFound(`projects/${PROJECT}/zones/${zone}/operations/${name}`)
    return this.#body(kept)
  }

  #body({ name, id, zone, type, target, startedAt, endsAt, failure, requestId }: Kept): object {
    const now = this.#clock.monotonic()
    const isDone = now >= endsAt
    const timeOf = (at: Milliseconds): string => formatTime(this.#clock.now() - now + at)
    return {
      kind: 'compute#operation',
      id,
      name,
      operationType: type,
      zone: selfLink(`projects/${PROJECT}/zones/${zone}`),
      selfLink: selfLink(`projects/${PROJECT}/zones/${zone}/operations/${name}`),
      targetLink: selfLink(target),
      status: isDone ? 'DONE' : now === startedAt ? 'PENDING' : 'RUNNING',
      progress: isDone ? 100 : 0,
      insertTime: timeOf(startedAt),
      startTime: timeOf(startedAt),
      ...(requestId === undefined ? {} : { clientOperationId: requestId }),
      ...(isDone ? { endTime: timeOf(endsAt) } : {}),
      ...(isDone && failure !== undefined
        ? {
            error: { errors: failure.errors },
            httpErrorStatusCode: failure.status,
            httpErrorMessage: HTTP_MESSAGES.get(failure.status) ?? 'BAD REQUEST',
          }
        : {}),
    }
  }
}
