import { type KubeObject, ownField } from '@kerf/apis'
import type { RegionEvidence } from '@kerf/provider-contract'

/** Recognizes the regions of a cloud in objects. */
export interface RegionReading {
  /** Returns the region in a text, which may be a part of a zone name. Undefined if there is none. */
  regionIn(text: string): string | undefined
  /** Returns the values of a node class that can contain a region, or undefined for any other object. */
  classValues(object: KubeObject): readonly unknown[] | undefined
}

const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce(ownField, value)

/** Yields every string in a value, at any depth. */
const textsIn = function* (value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

/** Returns the fields of a pod spec that restrict where the pod may run. */
const placement = (podSpec: unknown): readonly unknown[] => [at(podSpec, 'nodeSelector'), at(podSpec, 'affinity')]

/**
 * Returns the values of an object that can contain its region, and their priority. Existing resources take precedence over desired ones.
 */
const readParts = (
  object: KubeObject,
  classValues: RegionReading['classValues'],
): readonly [weight: 1 | 2 | 3, parts: readonly unknown[]] | undefined => {
  const ofClass = classValues(object)
  if (ofClass !== undefined) return [2, ofClass]
  switch (object.kind) {
    case 'Node':
      return [
        3,
        [
          at(object.metadata.labels, 'topology.kubernetes.io/region'),
          at(object.metadata.labels, 'topology.kubernetes.io/zone'),
        ],
      ]
    case 'NodePool':
      return [2, [at(object, 'spec', 'template', 'spec', 'requirements')]]
    case 'PersistentVolume':
      return [1, [at(object, 'spec', 'nodeAffinity')]]
    case 'StorageClass':
      return [1, [at(object, 'allowedTopologies')]]
    case 'Pod':
      return [1, placement(at(object, 'spec'))]
    case 'CronJob':
      return [1, placement(at(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec'))]
    default: {
      const template = at(object, 'spec', 'template', 'spec')
      return template === undefined ? undefined : [1, placement(template)]
    }
  }
}

/**
 * Returns the region of a cluster according to its objects: first its nodes, then its NodePools and node classes, then its volumes and the
 * constraints of its pods. If these contain several regions, the most frequent one is returned. Returns undefined if no object contains a
 * region.
 */
export const regionOfObjects = (
  objects: readonly KubeObject[],
  { regionIn, classValues }: RegionReading,
): RegionEvidence | undefined => {
  const named = new Map<string, { weight: number; count: number; saidBy: string }>()
  for (const object of objects) {
    const [weight, parts] = readParts(object, classValues) ?? [1, []]
    const regions = new Set<string>()
    for (const text of textsIn(parts)) {
      const region = regionIn(text)
      if (region !== undefined) regions.add(region)
    }
    for (const region of regions) {
      const known = named.get(region)
      if (known === undefined || known.weight < weight)
        named.set(region, { weight, count: 1, saidBy: `${object.kind} ${object.metadata.name}` })
      else if (known.weight === weight) known.count++
    }
  }
  const [first] = [...named].toSorted(
    ([a, one], [b, other]) => other.weight - one.weight || other.count - one.count || (a < b ? -1 : 1),
  )
  if (first === undefined) return undefined
  const [region, { weight, saidBy }] = first
  const others = [...named].filter(([name, each]) => name !== region && each.weight === weight).map(([name]) => name)
  return { region, saidBy, others: others.sort() }
}
