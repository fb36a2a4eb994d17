import type { KubeObject, Node, Pod } from '@kerf/apis'
import { kinds } from '@kerf/apis'
import { ApiError, type KubeClient, type WatchEvent } from '@kerf/runtime'
import { afterAll, beforeAll, expect } from 'vitest'
import type { HttpAccess } from './plain-http.ts'

/** An API to test. It has functions, because the API exists only inside tests and hooks. */
export interface ConformanceTarget {
  client(): KubeClient
  /** The HTTP address of the same API; absent for an API that exists only in this process. */
  http?(): HttpAccess
  /** Gives the cluster's controllers time to work; in virtual time it advances the clock. */
  pause(): Promise<void>
  /** The minor Kubernetes version, if it differs from the one that Kerf's own API server implements. */
  readonly minor?: number
  /** The number of cases of each long table, selected by the seed of samples. Default: all. */
  readonly mostCases?: number
}

/** The minor Kubernetes version that the sandbox implements, and the newest one of the tests. */
const NEWEST = 36

export const minorOf = ({ minor = NEWEST }: ConformanceTarget): number => minor

/** The number of attempts, fifty milliseconds apart: as long as a wait for a real process (tests/support/control-plane/src/progress.ts). */
const PATIENCE = 2_400

/** Repeats `check` until its assertions pass. Throws the last failure. */
export const eventually = async <T>(target: ConformanceTarget, check: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await check()
    } catch (error) {
      if (tries === PATIENCE) throw error
      await target.pause()
    }
  }
}

/** Returns the refusal of the API. Fails if the API does not refuse. */
export const refusal = async (
  call: Promise<unknown>,
): Promise<{ code: number; reason: string; message: string; fields: readonly string[] }> => {
  let answer: unknown
  try {
    answer = await call
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const fields = (error.details.causes ?? []).flatMap(({ field }) => field ?? [])
    return { code: error.code, reason: error.reason, message: error.message, fields }
  }
  return expect.fail(`expected a refusal, got ${JSON.stringify(answer)}`)
}

/** Returns a matcher for a refusal with this code and reason. */
export const refused = (code: number, reason: string) => expect.objectContaining({ code, reason })

let counter = 0
/** Returns a name that no other suite of this process uses. */
export const uniqueName = (prefix: string): string => {
  counter += 1
  return `${prefix}-${process.pid.toString(36)}-${counter.toString(36)}`
}

/** Creates a namespace for the suite that calls this during its definition. Returns its name. */
export const ownNamespace = (target: ConformanceTarget): string => {
  const name = uniqueName('conformance')
  beforeAll(async () => {
    await target.client().create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  })
  afterAll(() => target.client().delete(kinds.Namespace, { name }))
  return name
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

export const configMap = (
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>> = {},
  metadata: Partial<KubeObject['metadata']> = {},
): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, ...metadata },
  data,
})

/** Returns the smallest valid pod, with the given overrides. */
export const pod = (
  namespace: string,
  name: string,
  spec: Partial<Pod['spec']> = {},
  metadata: Partial<KubeObject['metadata']> = {},
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace, name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'example.invalid/image:1' }], ...spec },
})

export const node = (name: string, spec: Node['spec'] = {}, metadata: Partial<KubeObject['metadata']> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...metadata },
  spec,
})

/** Returns the name of a missing node for only one pod, because pods of a node that is missing for 40 s are deleted, even recent ones. */
export const farAway = (namespace: string, pod: string): string => `far-from-${namespace}-${pod}`

/** Marks a pod as running and ready, as its kubelet would. */
export const makeReady = async (client: KubeClient, { metadata }: KubeObject): Promise<void> => {
  const { name = '', namespace = '' } = metadata
  const now = new Date().toISOString().replace(/\.\d+/, '')
  const conditions = ['Ready', 'ContainersReady', 'Initialized', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }))
  await client.patch(
    kinds.Pod,
    { name, namespace },
    { type: 'merge', body: { status: { phase: 'Running', startTime: now, conditions } } },
    { subresource: 'status' },
  )
}

/** `TYPE name` of the events so far, without bookmarks. */
export interface Recording<T extends KubeObject> {
  readonly events: readonly WatchEvent<T>[]
  lines(): readonly string[]
  /** Set after the end of the stream; the inner value is `undefined` after a normal end. */
  readonly end: { readonly error: unknown } | undefined
  stop(): Promise<void>
}

/** Follows a watch in the background. Pass the controller of the watch's signal. */
export const record = <T extends KubeObject>(
  start: (signal: AbortSignal) => AsyncIterable<WatchEvent<T>>,
): Recording<T> => {
  const controller = new AbortController()
  const events: WatchEvent<T>[] = []
  let end: { readonly error: unknown } | undefined
  const done = (async () => {
    try {
      for await (const event of start(controller.signal)) events.push(event)
      end = { error: undefined }
    } catch (error) {
      end = { error }
    }
  })()
  return {
    events,
    lines: () =>
      events.flatMap((event) => (event.type === 'BOOKMARK' ? [] : [`${event.type} ${event.object.metadata.name}`])),
    get end() {
      return end
    },
    stop: async () => {
      controller.abort()
      await done
    },
  }
}
