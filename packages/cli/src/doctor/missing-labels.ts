import type { LabelVocabulary, NodePool, PodSpec } from '@kerf/apis'
import { Serving, type TypesOf } from './serving.ts'
import type { Workload } from './workload.ts'

/** A label that a pod requires on its node. */
export interface AskedLabel {
  readonly key: string
  /** Accepted values. Empty if any value is accepted. */
  readonly values: readonly string[]
}

/** Returns the labels that a pod requires in its node selector and in its required node affinity. */
export const askedLabels = ({ nodeSelector = {}, affinity }: PodSpec): readonly AskedLabel[] => {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  // A node has to match only one of several terms. So the pod requires a label only if every term does.
  const alternatives = terms.map(({ matchExpressions = [] }) =>
    matchExpressions
      .filter(({ operator }) => operator === 'In' || operator === 'Exists')
      .map(({ key, values = [] }): AskedLabel => ({ key, values })),
  )
  const [first = [], ...others] = alternatives
  return [
    ...Object.entries(nodeSelector).map(([key, value]): AskedLabel => ({ key, values: [value] })),
    ...first.flatMap((asked) => {
      const same = others.map((term) => term.find(({ key }) => key === asked.key))
      if (same.some((each) => each === undefined)) return []
      const all = [asked, ...same.flatMap((each) => each ?? [])]
      const isOpen = all.some(({ values }) => values.length === 0)
      return [{ key: asked.key, values: isOpen ? [] : [...new Set(all.flatMap(({ values }) => values))] }]
    }),
  ]
}

/** Returns the label as text: `tier=web`, `tier in (web, api)` or `tier`. */
export const labelText = ({ key, values }: AskedLabel): string => {
  const [first] = values
  if (first === undefined) return key
  return values.length === 1 ? `${key}=${first}` : `${key} in (${values.join(', ')})`
}

/** Returns a pod whose only requirement is the label. */
const podWith = ({ key, values }: AskedLabel, index: number): Workload => ({
  kind: 'Pod',
  namespace: 'default',
  name: String(index),
  replicas: 1,
  pods: [],
  pod: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: String(index), namespace: 'default' },
    spec: {
      containers: [{ name: 'main', image: 'x' }],
      tolerations: [{ operator: 'Exists' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  values.length === 0 ? { key, operator: 'Exists' } : { key, operator: 'In', values: [...values] },
                ],
              },
            ],
          },
        },
      },
    },
  },
})

/** Returns the labels that no NodePool sets on its nodes. */
export const unofferedLabels = (
  asked: readonly AskedLabel[],
  pools: readonly NodePool[],
  typesOf: TypesOf,
  vocabulary: LabelVocabulary,
): readonly AskedLabel[] => {
  const probes = asked.map(podWith)
  const serving = new Serving(probes, pools, [], typesOf, vocabulary)
  return asked.filter((_, index) => {
    const probe = probes[index]
    return probe !== undefined && serving.poolsFor(probe).length === 0
  })
}

/** Returns, as text, the labels that the pods of a workload require and that no NodePool offers. */
export const missingLabels = (
  { pod }: Workload,
  {
    pools,
    typesOf,
    vocabulary,
  }: { readonly pools: readonly NodePool[]; readonly typesOf: TypesOf; readonly vocabulary: LabelVocabulary },
): readonly string[] => unofferedLabels(askedLabels(pod.spec), pools, typesOf, vocabulary).map(labelText)
