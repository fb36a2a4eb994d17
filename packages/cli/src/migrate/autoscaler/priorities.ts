import { GoPatternError, goPattern, type KubeObject } from '@kerf/apis'
import type { FieldConversion, SourceGroup } from '@kerf/provider-contract'
import { asText, asTexts, isLoose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { type ClusterAutoscaler, PRIORITY_CONFIG } from '../../doctor/cluster-autoscaler.ts'
import { yamlDocuments } from '../../manifests/yaml-documents.ts'
import { YamlError } from '../../manifests/yaml-error.ts'
import { describingSource, type ProviderSource } from '../groups/provider-sources.ts'

/** Weights for NodePools, keyed by the name of the group that the NodePool replaces. */
export interface GroupWeights {
  readonly weights: ReadonlyMap<string, number>
  readonly conversions: readonly FieldConversion[]
}

interface Pattern {
  readonly priority: number
  readonly text: string
  readonly regexp: ReturnType<typeof goPattern>
}

/**
 * Returns the names that Cluster Autoscaler may use for the group. If no document contains them, returns names of the form that the
 * cloud generates.
 */
const autoscalerNames = (
  group: SourceGroup,
  clusterName: string,
  sources: readonly ProviderSource[],
): readonly string[] => {
  const { name, scalingGroups = [] } = group
  if (scalingGroups.length > 0) return scalingGroups
  return describingSource(group, sources)?.autoscalerNames?.(group, clusterName) ?? [name]
}

const why = (error: GoPatternError): string =>
  `Go cannot read its pattern (${error.message}), so Cluster Autoscaler ignores the whole ConfigMap`

/** Returns the patterns in the ConfigMap's text, highest priority first. */
const patternsIn = (text: string, object: string, conversions: FieldConversion[]): readonly Pattern[] => {
  let priorities: unknown
  try {
    priorities = yamlDocuments(text)[0]?.value
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    conversions.push(
      fieldConversion(object, 'data.priorities', {
        because: `it is not YAML (${error.message}): no NodePool gets a weight`,
      }),
    )
    return []
  }
  if (!isLoose(priorities)) {
    conversions.push(
      fieldConversion(object, 'data.priorities', {
        because: 'it is not a map of priorities: no NodePool gets a weight',
      }),
    )
    return []
  }
  return Object.entries(priorities)
    .flatMap(([key, value]) => {
      if (!/^-?\d+$/.test(key)) {
        conversions.push(fieldConversion(object, `priority ${key}`, { because: 'it is not a whole number' }))
        return []
      }
      return asTexts(value).flatMap((pattern): Pattern[] => {
        try {
          return [{ priority: Number(key), text: pattern, regexp: goPattern(pattern) }]
        } catch (error) {
          if (!(error instanceof GoPatternError)) throw error
          conversions.push(fieldConversion(object, `priority ${key} ${pattern}`, { because: why(error) }))
          return []
        }
      })
    })
    .toSorted((a, b) => b.priority - a.priority)
}

/**
 * Returns the weight for the priority at this index: 100 for the highest, and 10 less for each following one. If there are more
 * than ten priorities, the weights are spread evenly from 100 to 1.
 */
const weightAt = (index: number, count: number): number => {
  const step = count <= 10 ? 10 : 99 / (count - 1)
  return Math.max(1, Math.round(100 - index * step))
}

/**
 * Returns the weights that replace the priority expander (`docs/spec/coexistence.md#flags`). The weights keep only the order of the
 * priorities, not their values. The conversions list every pattern that cannot be read or that matches no group.
 */
export const groupWeights = (
  groups: readonly SourceGroup[],
  autoscaler: ClusterAutoscaler | undefined,
  objects: readonly KubeObject[],
  sources: readonly ProviderSource[],
  clusterName = 'CLUSTER_NAME',
): GroupWeights => {
  const expanders = (autoscaler?.flags.get('expander') ?? '').split(',').map((each) => each.trim())
  if (autoscaler === undefined || !expanders.includes('priority')) return { weights: new Map(), conversions: [] }
  const { configNamespaces } = autoscaler
  const config = configNamespaces
    .flatMap((namespace) =>
      objects.filter(
        ({ kind, metadata }) =>
          kind === 'ConfigMap' && metadata.name === PRIORITY_CONFIG && (metadata.namespace ?? 'default') === namespace,
      ),
    )
    .at(0)
  const text = asText(looseAt(config, 'data', 'priorities'))
  const object = `ConfigMap ${config?.metadata.namespace ?? configNamespaces[0]}/${PRIORITY_CONFIG}`
  if (text === undefined)
    return {
      weights: new Map(),
      conversions: [
        fieldConversion(object, 'data.priorities', {
          because: 'the priority expander needs it, but it is not among the objects, so no NodePool gets a weight',
        }),
      ],
    }
  const conversions: FieldConversion[] = []
  const patterns = patternsIn(text, object, conversions)
  const priorities = new Map<string, number>()
  for (const group of groups) {
    const names = autoscalerNames(group, clusterName, sources)
    const found = patterns.find(({ regexp }) => names.some((name) => regexp.test(name)))
    if (found !== undefined) priorities.set(group.name, found.priority)
  }
  const inUse = [...new Set(priorities.values())].toSorted((a, b) => b - a)
  const weights = new Map(
    Array.from(priorities, ([name, priority]) => [name, weightAt(inUse.indexOf(priority), inUse.length)]),
  )
  for (const { priority, text: pattern, regexp } of patterns) {
    const matched = groups.filter((group) =>
      autoscalerNames(group, clusterName, sources).some((name) => regexp.test(name)),
    )
    conversions.push(
      fieldConversion(
        object,
        `priority ${priority} ${pattern}`,
        matched.length === 0
          ? { because: 'it matches no node group of the files' }
          : { to: `NodePool spec.weight of ${matched.map(({ name }) => `${name} (${weights.get(name)})`).join(', ')}` },
      ),
    )
  }
  if (inUse.length > 100)
    conversions.push(
      fieldConversion(object, 'data.priorities', {
        because: `${inUse.length} priorities do not fit into weights of 1 to 100: some are equal`,
      }),
    )
  return { weights, conversions }
}
