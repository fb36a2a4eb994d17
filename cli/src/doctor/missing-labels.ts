import type { LabelVocabulary, NodePool, PodSpec } from '@kerf/apis'
import { Serving, type TypesOf } from './serving.ts'
import type { Workload } from './workload.ts'

/** A label that a pod cannot do without. */
export interface AskedLabel {
  readonly key: string
  /** Any of these; empty when any value will do. */
  readonly values: readonly string[]
}

/** The labels that a pod asks for in its node selector, and in its required node affinity when that has one term. */
export const askedLabels = ({ nodeSelector = {}, affinity }: PodSpec): readonly AskedLabel[] => {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  // Of several terms one has to hold: what all of them ask for is asked for.
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

/** `tier=web`, `tier in (web, api)`, `tier`. */
export const labelText = ({ key, values }: AskedLabel): string => {
  const [first] = values
  if (first === undefined) return key
  return values.length === 1 ? `${key}=${first}` : `${key} in (${values.join(', ')})`
}

/** A pod that asks for nothing but the label. */
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

/** Of these labels those that no node of any NodePool would have. */
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

/** The labels that the pods of a workload ask for and no NodePool offers, as texts. */
export const missingLabels = (
  { pod }: Workload,
  {
    pools,
    typesOf,
    vocabulary,
  }: { readonly pools: readonly NodePool[]; readonly typesOf: TypesOf; readonly vocabulary: LabelVocabulary },
): readonly string[] => unofferedLabels(askedLabels(pod.spec), pools, typesOf, vocabulary).map(labelText)
