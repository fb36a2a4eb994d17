import type { Taint } from '@kerf/apis'
import { labelValueProblem, qualifiedNameProblem, setOwnValue } from '@kerf/apis'
import type { SourceGroup } from '@kerf/provider-contract'
import { isEffect, isStartupTaint, labelProblem } from '@kerf/provider-kit/migration'

const PREFIX = 'k8s.io/cluster-autoscaler/'
const TEMPLATE = `${PREFIX}node-template/`

export interface TagReading extends Pick<SourceGroup, 'labels' | 'taints' | 'startupTaints' | 'options'> {
  /** Tags that Cluster Autoscaler does not read. */
  readonly others: Readonly<Record<string, string>>
  /** Tags without effect because their value is invalid, each with the reason. */
  readonly wrong: readonly { readonly tag: string; readonly because: string }[]
}

/** Returns the settings that Cluster Autoscaler reads from the tags of a node group (`docs/spec/coexistence.md#tags-of-node-groups`). */
export const readTags = (tags: Readonly<Record<string, string>>): TagReading => {
  const labels: Record<string, string> = {}
  const options: Record<string, string> = {}
  const others: Record<string, string> = {}
  const taints: Taint[] = []
  const startupTaints: Taint[] = []
  const wrong: { tag: string; because: string }[] = []
  for (const [tag, value] of Object.entries(tags)) {
    if (tag.startsWith(`${TEMPLATE}label/`)) {
      const key = tag.slice(TEMPLATE.length + 6)
      const problem = labelProblem(key, value)
      if (problem === undefined) setOwnValue(labels, key, value)
      else wrong.push({ tag, because: problem })
    } else if (tag.startsWith(`${TEMPLATE}autoscaling-options/`))
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
      const problem = qualifiedNameProblem(key) ?? labelValueProblem(taint.value ?? '')
      if (problem !== undefined) {
        wrong.push({ tag, because: `no node can have the taint ${key}=${value}: ${problem}` })
        continue
      }
      if (isStartupTaint(key)) startupTaints.push(taint)
      else taints.push(taint)
    } else if (tag.startsWith(TEMPLATE) && !tag.startsWith(`${TEMPLATE}resources/`))
      wrong.push({ tag, because: 'Kerf does not know this kind of node-template tag' })
    else if (!tag.startsWith(PREFIX)) setOwnValue(others, tag, value)
  }
  return { labels, taints, startupTaints, options, others, wrong }
}
