import type { KubeObject, Node, Pod } from '@kerf/apis'
import { kinds } from '@kerf/apis'
import { ApiError, type KubeClient, type WatchEvent } from '@kerf/runtime'
import { afterAll, beforeAll, expect } from 'vitest'
import type { HttpAccess } from './plain-http.ts'

/** An API to be judged. Functions, because it only exists inside tests and hooks. */
export interface ConformanceTarget {
  client(): KubeClient
  /** Where the same API is served over HTTP; absent for one that lives in this process only. */
  http?(): HttpAccess
  /** Lets the cluster's controllers work for a moment; in virtual time it moves the clock. */
  pause(): Promise<void>
  /** Kubernetes' minor version, where it is not the one that Kerf's own API server plays. */
  readonly minor?: number
  /** How many cases of each long table are tried, drawn by the seed of samples. All by default. */
  readonly mostCases?: number
}

/** The minor version of Kubernetes that the sandbox plays, and the newest that the tests run on. */
const NEWEST = 36

export const minorOf = ({ minor = NEWEST }: ConformanceTarget): number => minor

/** Tries, fifty milliseconds apart: as patient as a wait for a real process (test/cluster/src/progress.ts). */
const PATIENCE = 2_400

/** Asks again until the assertions in `check` hold; the last failure is thrown. */
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

/** What the API refuses with. Fails when it does not refuse. */
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

/** An answer `{code, reason}` of a refusal, to compare with. */
export const refused = (code: number, reason: string) => expect.objectContaining({ code, reason })

let counter = 0
/** A name that no other suite of this process uses. */
export const uniqueName = (prefix: string): string => {
  counter += 1
  return `${prefix}-${process.pid.toString(36)}-${counter.toString(36)}`
}

/** A namespace for the suite that calls this while it is being defined. Returns its name. */
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

/** The smallest pod that is valid, and what is given over it. */
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
 * A node that is not there, for one pod alone: the pods of a node that has been missing for 40 s are deleted, also those that
 * came a moment ago.
 */
export const farAway = (namespace: string, pod: string): string => `far-from-${namespace}-${pod}`

/** Marks a pod as its kubelet would once it runs and is ready. */
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

/** `TYPE name` of the events seen so far, bookmarks left out. */
export interface Recording<T extends KubeObject> {
  readonly events: readonly WatchEvent<T>[]
  lines(): readonly string[]
  /** Set when the stream ended; `undefined` inside when it ended normally. */
  readonly end: { readonly error: unknown } | undefined
  stop(): Promise<void>
}

/** Follows a watch in the background. Give the watch the same signal's controller. */
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
