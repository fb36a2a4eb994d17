import type { KubeObject } from '@kerf/apis'
import { ApiError } from '../kube-client/api-error.ts'
import type { WatchEvent } from '../kube-client/kube-client.ts'
import { linesOf } from './json-lines.ts'
import { errorOfStatus } from './status.ts'

const malformed = (what: string, line: string, cause?: unknown): ApiError => {
  const excerpt = line.length > 80 ? `${line.slice(0, 80)}…` : line
  const message = `the watch sent ${what}: ${JSON.stringify(excerpt)}`
  return new ApiError({ code: 0, reason: 'MalformedAnswer', message }, { cause })
}

/** Parses one line of a watch. Throws `ApiError` for an `ERROR` event, and for a line that is not an event. */
const parseEvent = <T extends KubeObject>(line: string): WatchEvent<T> => {
  let parsed: { type?: unknown; object?: T }
  try {
    parsed = JSON.parse(line)
  } catch (error) {
    throw malformed('a line that is not JSON', line, error)
  }
  const { type, object } = parsed ?? {}
  if (type === 'ERROR') throw errorOfStatus(object) ?? malformed('an error without a status', line)
  if (object?.metadata === undefined) throw malformed('a line without an object', line)
  switch (type) {
    case 'BOOKMARK':
      return { type, resourceVersion: object.metadata.resourceVersion ?? '' }
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object }
    default:
      throw malformed('an event of unknown type', line)
  }
}

/**
 * Yields the events in the body of a watch. Throws if a line cannot be parsed, because the caller has then lost an event and must list
 * again.
 */
export async function* eventsOf<T extends KubeObject>(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent<T>> {
  for await (const line of linesOf(body)) yield parseEvent<T>(line)
}
