import type { KubeObject } from '@kerf/apis'
import type { RegionEvidence } from '@kerf/provider-contract'

/** The regions whose types and zones come with Kerf (`docs/spec/aws-emulation.md#instance-types-offline`). */
export const offlineRegions: readonly string[] = [
  'af-south-1',
  'ap-east-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ca-central-1',
  'ca-west-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
]

/** The region that counts where nothing names another. */
export const USUAL_REGION = 'us-east-1'

/** A region, a zone or a local zone of it. */
const PLACE = /^([a-z]{2}(?:-[a-z]+)+-\d)(?:-[a-z]+-\d)?[a-z]?$/
const ARN = /^arn:aws[a-z-]*:[a-z0-9-]+:([a-z]{2}(?:-[a-z]+)+-\d):/

/** The region of a zone such as `eu-west-1a`; undefined for what is no name of a zone or region of AWS. */
export const regionOfZone = (text: string): string | undefined => PLACE.exec(text)?.[1]

const regionIn = (text: string): string | undefined => regionOfZone(text) ?? ARN.exec(text)?.[1]

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )

/** Every text in a value. */
const textsIn = function* (value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

/** Where pods of an object may run. */
const placement = (podSpec: unknown): readonly unknown[] => [at(podSpec, 'nodeSelector'), at(podSpec, 'affinity')]

/** The parts of an object that say where it is, and how much that weighs: what runs counts before what is wanted. */
const partsOf = (object: KubeObject): readonly [weight: 1 | 2 | 3, parts: readonly unknown[]] | undefined => {
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
    case 'EC2NodeClass':
      return [2, [at(object, 'spec'), at(object, 'status', 'subnets')]]
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
 * The region that the objects of a cluster are in: that of its nodes; otherwise of its NodePools and node classes; otherwise of
 * volumes and of what pods ask for. Of several the one that most objects name. Undefined where none is named.
 */
export const regionOfObjects = (objects: readonly KubeObject[]): RegionEvidence | undefined => {
  const named = new Map<string, { weight: number; count: number; saidBy: string }>()
  for (const object of objects) {
    const [weight, parts] = partsOf(object) ?? [1, []]
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
