import type { BatchPod, EquivalenceGroup, Variant } from '../model/equivalence-group.ts'
import type { EmptyTemplate } from '../model/template.ts'
import type { Run } from '../packing/packing-run.ts'
import { detailTexts } from '../reasons/detail-texts.ts'
import { type Reason, reasonFromData } from '../reasons/reason.ts'
import { nearness, type PoolFunnel, poolFunnel } from './pool-funnel.ts'

/** Returns the alternatives of an equivalence group with all preferences relaxed. */
const lastVariants = (run: Run, equivalenceGroup: EquivalenceGroup): readonly Variant[] => {
  let last: readonly Variant[] = []
  for (let given = 0; ; given++) {
    const alternatives = run.problem.variants.alternatives(equivalenceGroup, given)
    if (alternatives === undefined) return last
    last = alternatives
  }
}

/**
 * Returns the result of every pool for an equivalence group. If the group has several alternatives, the result of a pool is for the
 * alternative that comes closest to being accepted.
 */
export const poolFunnels = (run: Run, equivalenceGroup: EquivalenceGroup, isPlaced = false): readonly PoolFunnel[] => {
  const variants = lastVariants(run, equivalenceGroup)
  return run.problem.templates.flatMap((template) => {
    // The same pool also has a template without the commitment. That template accepts at least the same pods and provides the reason.
    if (template.commitment !== undefined) return []
    const funnels = variants.map((variant) => poolFunnel(run, equivalenceGroup, variant, template, isPlaced))
    const open = funnels.find(({ reason }) => reason === undefined)
    const nearest = funnels.toSorted((a, b) => nearness(b) - nearness(a))[0]
    return open ?? nearest ?? []
  })
}

const emptyReason = ({ name, problem, detail }: EmptyTemplate): Reason => {
  const subject = `nodepool/${name}`
  switch (problem) {
    case 'catalogue-empty':
      return { code: 'nodepool.catalogue-empty', subject, detail: { problem: detailTexts.noTypes } }
    case 'filtered-out':
      return { code: 'nodepool.catalogue-empty', subject, detail: { problem: detailTexts.noOffering } }
    case 'min-values':
      return { code: 'min-values.unmet', subject, detail: { keys: detail, types: detailTexts.allTypes } }
    case 'invalid':
      return { code: 'nodepool.not-ready', subject, detail: { problem: detail } }
  }
}

/** Returns the reason why a pool was rejected, with the number of offerings that the earlier constraints left. */
const withCounts = ({ stages, reason }: PoolFunnel): readonly Reason[] => {
  if (reason === undefined) return []
  const offered = stages[0]?.offeringsLeft ?? 0
  const left = stages.at(-2)?.offeringsLeft ?? offered
  return [reasonFromData({ ...reason, detail: { ...reason.detail, offered, left } })]
}

/** Returns the reasons of all NodePools for a pod that was not placed. The reason of the pool that came closest is first. */
const poolReasons = (run: Run, equivalenceGroup: EquivalenceGroup): readonly Reason[] => {
  const { emptyTemplates, unusablePools } = run.problem
  const reasons = poolFunnels(run, equivalenceGroup)
    .filter(({ reason }) => reason !== undefined)
    .sort((a, b) => nearness(b) - nearness(a))
    .flatMap(withCounts)
  return [...reasons, ...emptyTemplates.map(emptyReason), ...unusablePools.map(({ reason }) => reason)]
}

/** Computes reasons once per equivalence group. */
export class Reasons {
  readonly #run: Run
  readonly #known = new Map<number, readonly Reason[]>()

  constructor(run: Run) {
    this.#run = run
  }

  /** Returns the reasons why a pod was not placed; never empty. */
  of(pod: BatchPod): readonly Reason[] {
    const { equivalenceGroup } = pod
    if (equivalenceGroup.refusal !== undefined) return equivalenceGroup.refusal
    const subject = `pod/${equivalenceGroup.pod.metadata.namespace ?? 'default'}/${equivalenceGroup.pod.metadata.name}`
    if (this.#run.deferred.has(equivalenceGroup.id)) return [{ code: 'reservation.exhausted', subject, detail: {} }]
    let reasons = this.#known.get(equivalenceGroup.id)
    if (reasons === undefined) {
      const all = poolReasons(this.#run, equivalenceGroup)
      reasons =
        all.length > 0
          ? all
          : this.#run.problem.templates.length > 0
            ? [{ code: 'instance-type.none', subject, detail: {} }]
            : [{ code: 'nodepool.none', subject, detail: {} }]
      this.#known.set(equivalenceGroup.id, reasons)
    }
    return reasons
  }
}
