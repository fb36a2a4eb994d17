import type { NodePool } from '@kerf/apis'
import { type Milliseconds, parseTime } from '@kerf/apis'
import { type SleepingPools, sleepingPools, sleepTexts } from '@kerf/controllers'
import { UsageError } from '@kerf/provider-kit/command-line'
import type { LoadedCluster } from './load-snapshot.ts'

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/

/**
 * Returns the time of `--at`.
 * @throws UsageError for anything but a time with a zone
 */
export const parseAt = (text: string): Milliseconds => {
  const [, seconds] = TIME.exec(text) ?? []
  const time = TIME.test(text)
    ? parseTime(seconds === undefined ? text.replace(/(T\d{2}:\d{2})/, '$1:00') : text)
    : undefined
  if (time === undefined) throw new UsageError(`--at: ${text} is not a time such as 2026-12-24T20:00Z`)
  return time
}

/**
 * Returns the cluster as it would be at this time. NodePools that sleep at this time launch no nodes, and their existing nodes get no pods.
 */
export const withSleepAt = <T extends LoadedCluster>(loaded: T, now: Milliseconds): T & { sleep: SleepingPools } => {
  const pools = new Map(
    loaded.manifests.flatMap(({ object }) =>
      object.kind === 'NodePool' ? [[object.metadata.name, object as NodePool] as const] : [],
    ),
  )
  const sleep = sleepingPools(loaded.poolPolicies, (name) => pools.get(name), now)
  const texts = sleepTexts(sleep, now)
  if (texts.size === 0) return { ...loaded, sleep }
  const { snapshot } = loaded
  return {
    ...loaded,
    sleep,
    snapshot: {
      ...snapshot,
      pools: snapshot.pools.map((option) => {
        const sleepsUntil = texts.get(option.nodePool.metadata.name)
        return sleepsUntil === undefined ? option : { ...option, sleepsUntil }
      }),
      nodes: snapshot.nodes.map((node) => (texts.has(node.nodePool ?? '') ? { ...node, takesNoPods: true } : node)),
    },
  }
}
