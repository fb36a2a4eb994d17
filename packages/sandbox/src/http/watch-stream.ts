import type { ServerResponse } from 'node:http'
import type { KubeObject } from '@kerf/apis'
import type { SandboxApi } from '../api/sandbox-api.ts'
import type { ResourceEvent } from '../operations/reading.ts'
import { apiVersionOfResource, type Resource } from '../resources/resource.ts'
import type { ResourcePath } from '../resources/resource-path.ts'
import { buildTable, type IncludeObject, toPartialMetadata } from '../table/table.ts'
import { type Form, includeObject } from './negotiation.ts'
import { given, isTrue, wholeNumber } from './request-options.ts'
import { drained, toJson } from './serialisation.ts'
import { statusDocument } from './status-document.ts'

/** A watch and the form of its events. */
export interface WatchStream {
  readonly resource: Resource
  events(signal: AbortSignal): AsyncIterable<ResourceEvent>
  readonly form: Form
  readonly include: IncludeObject
  now(): number
}

export const isWatch = (query: URLSearchParams): boolean => isTrue(query.get('watch'))

/** Returns which objects a path and its query select. */
export const readSelection = (target: ResourcePath, query: URLSearchParams) => ({
  ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
  ...given(query, 'labelSelector'),
  ...(target.name === undefined ? given(query, 'fieldSelector') : { fieldSelector: `metadata.name=${target.name}` }),
  ...given(query, 'resourceVersion'),
})

/** Returns the watch that a path and its query request. */
export const openWatch = (
  api: SandboxApi,
  resource: Resource,
  target: ResourcePath,
  query: URLSearchParams,
  form: Form,
): WatchStream => {
  const timeout = query.get('timeoutSeconds')
  return {
    resource,
    form,
    include: includeObject(query.get('includeObject')),
    now: () => api.state.clock.now(),
    events: (signal) =>
      api.watch(resource, {
        ...readSelection(target, query),
        ...(timeout === null ? {} : { timeoutSeconds: wholeNumber(timeout) }),
        allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
        ...(query.has('sendInitialEvents') ? { sendInitialEvents: isTrue(query.get('sendInitialEvents')) } : {}),
        signal,
      }),
  }
}

/**
 * Yields one JSON document per event. If the watch fails, the last document contains the error. If the watch is aborted, ends without an
 * error.
 */
export async function* watchLines(
  watch: WatchStream,
  events: AsyncIterable<ResourceEvent>,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  try {
    for await (const event of events) yield line(watch, event)
  } catch (error) {
    if (!signal.aborted) yield JSON.stringify({ type: 'ERROR', object: statusDocument(error).body })
  }
}

/** Writes one line per event until the client disconnects, the server stops or the watch ends. */
export const streamWatch = async (
  response: ServerResponse,
  watch: WatchStream,
  stopped: AbortSignal,
): Promise<void> => {
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  const signal = AbortSignal.any([closed.signal, stopped])
  const events = watch.events(signal)
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()
  for await (const text of watchLines(watch, events, signal)) if (!response.write(`${text}\n`)) await drained(response)
  response.end()
}

const line = (watch: WatchStream, event: ResourceEvent): string => {
  if (event.type === 'BOOKMARK')
    return JSON.stringify({
      type: 'BOOKMARK',
      object: bookmark(watch, event.resourceVersion, event.initialEventsEnd === true),
    })
  return `{"type":"${event.type}","object":${shown(watch, event.object)}}`
}

const shown = ({ form, resource, include, now }: WatchStream, object: KubeObject): string => {
  switch (form) {
    case 'object':
      return toJson(object)
    case 'partial':
      return JSON.stringify(toPartialMetadata(object))
    case 'table':
      return JSON.stringify(
        buildTable(resource, [object], { resourceVersion: object.metadata.resourceVersion }, include, now()),
      )
  }
}

const bookmark = (
  { form, resource, include, now }: WatchStream,
  resourceVersion: string,
  initialEventsEnd: boolean,
): object => {
  const metadata = {
    resourceVersion,
    creationTimestamp: null,
    ...(initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
  }
  if (form === 'table') return buildTable(resource, [], metadata, include, now())
  if (form === 'partial') return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
  return { kind: resource.kind, apiVersion: apiVersionOfResource(resource), metadata }
}
