import type { Milliseconds, Pod } from '@kerf/apis'
import { type Clock, type Logger, TtlCache } from '@kerf/runtime'
import { podKey } from '../pod/pod-predicates.ts'
import { shortened } from './shortened.ts'

const REPORTED_FOR: Milliseconds = 3_600_000

const hasPreferredAntiAffinity = (pod: Pod): boolean =>
  (pod.spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.length ?? 0) > 0
const hasSoftSpread = (pod: Pod): boolean =>
  pod.spec.topologySpreadConstraints?.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway') ?? false

/**
 * Logs a hint about pods that prefer to be spread. If Kerf respects this preference, it needs more nodes and cannot consolidate them. Each
 * pod is logged once an hour (`docs/spec/pending-pods.md#validation-of-pending-pods`).
 */
export class PreferenceHints {
  readonly #log: Logger
  readonly #reported: TtlCache<string, true>

  constructor(clock: Clock, log: Logger) {
    this.#log = log
    this.#reported = new TtlCache(clock, { ttl: REPORTED_FOR })
  }

  /** Logs one line for each kind of preference, with all pods of the pass that have it. */
  hint(pods: readonly Pod[]): void {
    this.#report('a preferred Anti-Affinity', pods.filter(hasPreferredAntiAffinity))
    this.#report('a preferred TopologySpreadConstraint', pods.filter(hasSoftSpread))
  }

  #report(preference: string, pods: readonly Pod[]): void {
    const news = pods.filter(({ metadata }) => !this.#reported.has(`${preference} ${metadata.uid}`))
    if (news.length === 0) return
    for (const { metadata } of news) this.#reported.set(`${preference} ${metadata.uid}`, true)
    this.#log.warn(`pod(s) have ${preference} which can prevent consolidation`, {
      Pods: shortened(news.map(podKey)),
      pods: news.length,
    })
  }
}
