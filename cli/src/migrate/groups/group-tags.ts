import type { Taint } from '@kerf/apis'
import { setOwnValue } from '@kerf/apis'
import type { SourceGroup } from './source-group.ts'

const PREFIX = 'k8s.io/cluster-autoscaler/'
const TEMPLATE = `${PREFIX}node-template/`

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const
type Effect = (typeof EFFECTS)[number]

export const isEffect = (text: string | undefined): text is Effect => EFFECTS.some((each) => each === text)

export interface TagReading extends Pick<SourceGroup, 'labels' | 'taints' | 'startupTaints' | 'resources' | 'options'> {
  readonly isDiscoverable: boolean
  /** What is no tag of Cluster Autoscaler. */
  readonly others: Readonly<Record<string, string>>
  /** Tags that mean nothing as they stand, with the reason. */
  readonly wrong: readonly { readonly tag: string; readonly because: string }[]
}

const STARTUP = /^(startup-taint|ignore-taint)\.cluster-autoscaler\.kubernetes\.io\//

/** What Cluster Autoscaler reads of a group's tags (`docs/spec/coexistence.md#tags-of-node-groups`). */
export const readTags = (tags: Readonly<Record<string, string>>): TagReading => {
  const labels: Record<string, string> = {}
  const resources: Record<string, string> = {}
  const options: Record<string, string> = {}
  const others: Record<string, string> = {}
  const taints: Taint[] = []
  const startupTaints: Taint[] = []
  const wrong: { tag: string; because: string }[] = []
  let enabled = false
  for (const [tag, value] of Object.entries(tags)) {
    if (tag.startsWith(`${TEMPLATE}label/`)) setOwnValue(labels, tag.slice(TEMPLATE.length + 6), value)
    else if (tag.startsWith(`${TEMPLATE}resources/`)) setOwnValue(resources, tag.slice(TEMPLATE.length + 10), value)
    else if (tag.startsWith(`${TEMPLATE}autoscaling-options/`))
      setOwnValue(options, tag.slice(TEMPLATE.length + 20), value)
    else if (tag.startsWith(`${TEMPLATE}taint/`)) {
      const key = tag.slice(TEMPLATE.length + 6)
      const at = value.lastIndexOf(':')
      const effect = value.slice(at + 1)
      if (at === -1 || !isEffect(effect)) {
        wrong.push({ tag, because: `its value ${value} is not VALUE:EFFECT; Cluster Autoscaler ignores it too` })
        continue
      }
      const taint = { key, ...(at === 0 ? {} : { value: value.slice(0, at) }), effect }
      if (STARTUP.test(key)) startupTaints.push(taint)
      else taints.push(taint)
    } else if (tag.startsWith(TEMPLATE))
      wrong.push({ tag, because: 'Kerf does not know this kind of node-template tag' })
    else if (tag.startsWith(PREFIX)) enabled ||= tag === `${PREFIX}enabled`
    else setOwnValue(others, tag, value)
  }
  return { labels, taints, startupTaints, resources, options, others, isDiscoverable: enabled, wrong }
}
