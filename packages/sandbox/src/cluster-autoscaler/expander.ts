import type { Pod } from '@kerf/apis'
import type { Random } from '@kerf/runtime'
import type { AutoscalerOptions } from './options.ts'
import { cpuAndMemory, cpuAndMemoryIn } from './packing.ts'
import type { ScaledGroup } from './scaled-group.ts'

/** A node group that could grow, with the number of nodes to add and the pods that would then fit on them. */
export interface ScaleUpOption {
  readonly group: ScaledGroup
  readonly nodes: number
  readonly pods: readonly Pod[]
}

const best = (
  options: readonly ScaleUpOption[],
  score: (option: ScaleUpOption) => number,
): readonly ScaleUpOption[] => {
  const lowest = Math.min(...options.map(score))
  return options.filter((option) => score(option) === lowest)
}

/** Returns the unused share of CPU plus the unused share of memory. */
const waste = ({ group, nodes, pods }: ScaleUpOption): number => {
  const [cpu, memory] = cpuAndMemoryIn(group.template.capacity)
  let [wantedCpu, wantedMemory] = [0, 0]
  for (const pod of pods) {
    const [one, other] = cpuAndMemory(pod)
    wantedCpu += one
    wantedMemory += other
  }
  return (cpu * nodes - wantedCpu) / (cpu * nodes) + (memory * nodes - wantedMemory) / (memory * nodes)
}

const highestPriority = (
  options: readonly ScaleUpOption[],
  priorities: AutoscalerOptions['priorities'],
): readonly ScaleUpOption[] => {
  for (const { patterns } of priorities.toSorted((a, b) => b.priority - a.priority)) {
    const found = options.filter(({ group }) => patterns.some((pattern) => new RegExp(pattern).test(group.name)))
    if (found.length > 0) return found
  }
  return options
}

/** Returns the option that remains after applying the expanders one after another. If several remain, chooses one at random. */
export const chooseOption = (
  options: readonly ScaleUpOption[],
  { expanders, priorities }: Pick<AutoscalerOptions, 'expanders' | 'priorities'>,
  random: Random,
): ScaleUpOption | undefined => {
  let left = options
  for (const expander of expanders) {
    if (left.length < 2) break
    switch (expander.trim()) {
      case 'least-waste':
        left = best(left, waste)
        break
      case 'most-pods':
        left = best(left, ({ pods }) => -pods.length)
        break
      case 'least-nodes':
        left = best(left, ({ nodes }) => nodes)
        break
      case 'priority':
        left = highestPriority(left, priorities)
        break
    }
  }
  return left.length < 2 ? left[0] : left[Math.floor(random.next() * left.length)]
}
