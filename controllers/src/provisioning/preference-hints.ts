import type { Pod } from '@kerf/apis'
import { type Clock, type Logger, type Milliseconds, TtlCache } from '@kerf/runtime'
import { podKey } from '../pods/pod-predicates.ts'
import { shortened } from './shortened.ts'

const TOLD_FOR: Milliseconds = 3_600_000

const hasPreferredAntiAffinity = (pod: Pod): boolean =>
  (pod.spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.length ?? 0) > 0
const hasSoftSpread = (pod: Pod): boolean =>
  pod.spec.topologySpreadConstraints?.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway') ?? false

/**
 * Says in the log, once an hour for each pod, that wishes to be apart are bought nodes for and keep nodes from being
 * consolidated, as long as preferences are respected (`docs/spec/pending-pods.md#validation-of-pending-pods`).
 */
export class PreferenceHints {
  readonly #log: Logger
  readonly #told: TtlCache<string, true>

  constructor(clock: Clock, log: Logger) {
    this.#log = log
    this.#told = new TtlCache(clock, { ttl: TOLD_FOR })
  }

  /** The pods of a pass; one line for all that have the same kind of wish. */
  hint(pods: readonly Pod[]): void {
    this.#tell('a preferred Anti-Affinity', pods.filter(hasPreferredAntiAffinity))
    this.#tell('a preferred TopologySpreadConstraint', pods.filter(hasSoftSpread))
  }

  #tell(wish: string, pods: readonly Pod[]): void {
    const news = pods.filter(({ metadata }) => !this.#told.has(`${wish} ${metadata.uid}`))
    if (news.length === 0) return
    for (const { metadata } of news) this.#told.set(`${wish} ${metadata.uid}`, true)
    this.#log.warn(`pod(s) have ${wish} which can prevent consolidation`, {
      Pods: shortened(news.map(podKey)),
      pods: news.length,
    })
  }
}
