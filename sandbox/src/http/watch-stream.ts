import type { ServerResponse } from 'node:http'
import type { KubeObject } from '@kerf/apis'
import type { ResourceEvent } from '../api/reading.ts'
import { apiVersionOfResource, type Resource } from '../api/resource.ts'
import { type IncludeObject, partialOf, tableOf } from '../table/table.ts'
import type { Form } from './negotiation.ts'
import { drained, jsonOf } from './serialisation.ts'
import { statusDocument } from './status-document.ts'

export interface WatchStream {
  readonly response: ServerResponse
  readonly resource: Resource
  events(signal: AbortSignal): AsyncIterable<ResourceEvent>
  readonly form: Form
  readonly include: IncludeObject
  now(): number
  /** Ends the stream when the server stops. */
  readonly stopped: AbortSignal
}

/** Writes a watch as one JSON document a line until the client goes, the server stops or the watch ends. */
export const streamWatch = async (watch: WatchStream): Promise<void> => {
  const { response, stopped } = watch
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  const events = watch.events(AbortSignal.any([closed.signal, stopped]))
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()
  try {
    for await (const event of events) {
      if (!response.write(`${line(watch, event)}\n`)) await drained(response)
    }
  } catch (error) {
    if (!closed.signal.aborted && !stopped.aborted)
      response.write(`${JSON.stringify({ type: 'ERROR', object: statusDocument(error).body })}\n`)
  }
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
      return jsonOf(object)
    case 'partial':
      return JSON.stringify(partialOf(object))
    case 'table':
      return JSON.stringify(
        tableOf(resource, [object], { resourceVersion: object.metadata.resourceVersion }, include, now()),
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
  if (form === 'table') return tableOf(resource, [], metadata, include, now())
  if (form === 'partial') return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
  return { kind: resource.kind, apiVersion: apiVersionOfResource(resource), metadata }
}
