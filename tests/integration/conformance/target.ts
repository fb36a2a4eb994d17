import type { KubeObject, Node, Pod } from '@kerf/apis'
import { kinds } from '@kerf/apis'
import { ApiError, type KubeClient, type WatchEvent } from '@kerf/runtime'
import { afterAll, beforeAll, expect } from 'vitest'
import type { HttpAccess } from './plain-http.ts'

/** An API to test. Its members are functions, because the API exists only while tests and hooks run. */
export interface ConformanceTarget {
  client(): KubeClient
  /** The HTTP address of the API. Absent if the API exists only in this process. */
  http?(): HttpAccess
  /** Gives the cluster's controllers time to work. In virtual time, this advances the clock. */
  pause(): Promise<void>
  /** The minor Kubernetes version, if it differs from the one that Kerf's own API server implements. */
  readonly minor?: number
  /** How many cases of each long table to test. The sample seed determines which ones. By default, all cases are tested. */
  readonly mostCases?: number
}

/** The minor Kubernetes version that the sandbox implements. The tests cover no newer version. */
const NEWEST = 36

export const targetMinor = ({ minor = NEWEST }: ConformanceTarget): number => minor

/**
 * The number of attempts, fifty milliseconds apart. Their total time equals the longest wait for a real process
 * (tests/support/control-plane/src/progress.ts).
 */
const PATIENCE = 2_400

/** Repeats `check` until its assertions pass. When the attempts run out, throws the last failure. */
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

/** Returns the error with which the API refuses a request. Fails if the API accepts it. */
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

/** Returns a matcher for an error with this code and reason. */
export const refused = (code: number, reason: string) => expect.objectContaining({ code, reason })

let counter = 0
/** Returns a name that no other suite of this process uses. */
export const uniqueName = (prefix: string): string => {
  counter += 1
  return `${prefix}-${process.pid.toString(36)}-${counter.toString(36)}`
}

/** Returns the name of a namespace that exists during the calling suite's tests. Call this inside `describe`. */
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

/**
 * Returns the name of a missing node that only this pod uses. Kubernetes deletes all pods of a node that has been missing for 40 s, even
 * recent pods.
 */
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

/** The events of a watch so far, as `TYPE name` and without bookmarks. */
export interface Recording<T extends KubeObject> {
  readonly events: readonly WatchEvent<T>[]
  lines(): readonly string[]
  /** Set when the stream has ended. `error` is `undefined` after a normal end. */
  readonly end: { readonly error: unknown } | undefined
  stop(): Promise<void>
}

/** Records the events of a watch in the background. Pass the AbortController whose signal ends the watch. */
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
