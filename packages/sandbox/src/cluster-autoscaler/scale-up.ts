import type { Node, Pod } from '@kerf/apis'
import type { ScaleUpOption } from './expander.ts'
import { cpuAndMemory, cpuAndMemoryIn, type Packing, type Refusal } from './packing.ts'
import type { ScaledGroup } from './scaled-group.ts'

/** A node that the group would launch, with the DaemonSet pods that would run on it. */
export interface TemplateNode {
  readonly node: (name: string) => Node
  readonly daemonPods: readonly Pod[]
}

export interface ScaleUpChoices {
  readonly options: readonly ScaleUpOption[]
  /** The reasons why groups cannot take a pod, with the number of groups per reason, keyed by pod. */
  readonly refused: ReadonlyMap<Pod, ReadonlyMap<string, number>>
}

/** Sorts the pods by size, largest first, so that pods with equal requests are packed one after another. */
const inOrder = (pods: readonly Pod[], group: ScaledGroup): readonly Pod[] => {
  const [cpu, memory] = cpuAndMemoryIn(group.template.allocatable)
  const scores = new Map(
    pods.map((pod) => {
      const [one, other] = cpuAndMemory(pod)
      return [pod, (cpu === 0 ? 0 : one / cpu) + (memory === 0 ? 0 : other / memory)] as const
    }),
  )
  return pods.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
}

/**
 * Returns how many nodes of the group the pods need if first fit packs them, and which pods these nodes take. Skips a pod that does not fit
 * on an empty new node. Does not change the packing.
 */
const estimate = (
  packing: Packing,
  group: ScaledGroup,
  template: TemplateNode,
  pods: readonly Pod[],
  most: number,
): ScaleUpOption => {
  const added: string[] = []
  const placed: Pod[] = []
  const isNew = new Set<string>()
  for (const pod of inOrder(pods, group)) {
    if (packing.placeOnAny(pod, (name) => isNew.has(name)) !== undefined) {
      placed.push(pod)
      continue
    }
    if (added.length >= most) continue
    const name = `estimate of ${group.name} ${added.length}`
    packing.add(template.node(name), template.daemonPods)
    if (packing.refusal(pod, name) !== undefined) {
      packing.remove(name)
      continue
    }
    packing.place(pod, name)
    added.push(name)
    isNew.add(name)
    placed.push(pod)
  }
  for (const name of added) packing.remove(name)
  return { group, nodes: added.length, pods: placed }
}

/** Returns the groups that could take pods, with the nodes to add, and the reasons why other groups cannot. */
export const scaleUpOptions = (
  packing: Packing,
  groups: readonly ScaledGroup[],
  templateOf: (group: ScaledGroup) => TemplateNode,
  pods: readonly Pod[],
): ScaleUpChoices => {
  const refused = new Map<Pod, Map<string, number>>(pods.map((pod) => [pod, new Map()]))
  const options: ScaleUpOption[] = []
  const refuse = (pod: Pod, why: Refusal | 'max node group size reached'): void => {
    const reasons = refused.get(pod)
    const said = why === 'max node group size reached' ? why : `node(s) ${why}`
    const text = why.startsWith('Insufficient') ? why : said
    reasons?.set(text, (reasons.get(text) ?? 0) + 1)
  }
  for (const group of groups) {
    if (group.size >= group.max) {
      for (const pod of pods) refuse(pod, 'max node group size reached')
      continue
    }
    const template = templateOf(group)
    const name = `template of ${group.name}`
    packing.add(template.node(name), template.daemonPods)
    const fitting = pods.filter((pod) => {
      const why = packing.refusal(pod, name)
      if (why !== undefined) refuse(pod, why)
      return why === undefined
    })
    packing.remove(name)
    if (fitting.length === 0) continue
    const option = estimate(packing, group, template, fitting, group.max - group.size)
    if (option.nodes > 0) options.push(option)
  }
  return { options, refused }
}
