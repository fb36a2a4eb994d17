import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { crdManifests } from './crd-manifest.ts'
import { legacyCrdManifests } from './legacy/legacy-kinds.ts'
import { customResources, karpenterKinds } from './resources/index.ts'
import { compileCrdSchema } from './schema/compiled-schema.ts'
import type { StructuralSchema } from './schema/structural-schema.ts'

const manifests = crdManifests()
/** All manifests. Those of the old kinds follow the same rules. */
const everyManifest = [...manifests, ...legacyCrdManifests()]

/** Returns every schema inside a schema, with its path. */
const inside = (schema: StructuralSchema, path: string): (readonly [string, StructuralSchema])[] => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => inside(inner, `${path}.${name}`)),
  ...(schema.items === undefined ? [] : inside(schema.items, `${path}[]`)),
  ...(typeof schema.additionalProperties === 'object' ? inside(schema.additionalProperties, `${path}{}`) : []),
]

test('one manifest for each kind, in the order of installation', () => {
  expect(manifests.map(({ manifest }) => manifest.metadata.name)).toEqual([
    'nodepools.karpenter.sh',
    'nodeclaims.karpenter.sh',
    'nodeoverlays.karpenter.sh',
    'capacitybuffers.autoscaling.x-k8s.io',
    'kwoknodeclasses.karpenter.kwok.sh',
    'ec2nodeclasses.karpenter.k8s.aws',
    'clusterapinodeclasses.karpenter.cluster.x-k8s.io',
    'aksnodeclasses.karpenter.azure.com',
  ])
  expect(customResources.map(({ kind }) => kind)).toEqual(Object.values(karpenterKinds))
})

test('the YAML text equals the manifest', () => {
  for (const { yaml, manifest } of everyManifest) expect(parse(yaml)).toEqual(JSON.parse(JSON.stringify(manifest)))
})

describe.each(everyManifest.map((each) => [each.manifest.spec.names.kind, each.manifest] as const))(
  '%s',
  (_, manifest) => {
    const [version] = manifest.spec.versions
    const schema = version.schema.openAPIV3Schema
    const all = inside(schema, '')

    test('every named field of spec and status has a description', () => {
      const named = all.filter(([path]) => /^\.(spec|status)/.test(path) && !/(\[\]|\{\})$/.test(path))
      expect(named.length).toBeGreaterThan(3)
      for (const [path, { description = '' }] of named) expect(description.length, path).toBeGreaterThan(9)
    })

    test('lists have a list type, and every rule has a message and compiles', () => {
      for (const [path, inner] of all) {
        if (inner.type === 'array') expect(inner['x-kubernetes-list-type'], path).toMatch(/^(atomic|set|map)$/)
        for (const { message = '' } of inner['x-kubernetes-validations'] ?? []) expect(message, path).not.toBe('')
      }
      expect(() => compileCrdSchema(schema)).not.toThrow()
    })

    test('every column refers to an existing field', () => {
      for (const { jsonPath } of version.additionalPrinterColumns) {
        if (jsonPath.startsWith('.metadata.')) continue
        const path = jsonPath.replace(/\[[^\]]*\]/g, '[]').replace(/\.status\.resources\..*/, '.status.resources')
        expect(
          all.map(([known]) => known),
          jsonPath,
        ).toContain(path)
      }
    })
  },
)

test('an older version is served with a warning, and with the same schema', () => {
  const aks =
    manifests.find(({ manifest }) => manifest.spec.names.kind === 'AKSNodeClass')?.manifest.spec.versions ?? []
  expect(aks.map(({ name, served, storage, deprecated }) => [name, served, storage, deprecated])).toEqual([
    ['v1beta1', true, true, undefined],
    ['v1alpha2', true, false, true],
  ])
  const [current, older] = aks.map(({ schema }) => schema.openAPIV3Schema.properties)
  expect(older?.['spec']).toEqual(current?.['spec'])
  expect(older?.['status']).toEqual(current?.['status'])
})

test('clients know the names, columns and subresources', () => {
  const table = manifests.map(({ manifest: { spec } }) => {
    const [version] = spec.versions
    const columns = version.additionalPrinterColumns.map(
      ({ name, type, jsonPath, priority = 0 }) => `${name}|${type}|${jsonPath}|${priority}`,
    )
    return [
      spec.names.kind,
      version.name,
      spec.scope,
      spec.names.shortNames ?? [],
      spec.names.categories,
      version.subresources,
      columns,
    ]
  })
  expect(table).toMatchInlineSnapshot(`
    [
      [
        "NodePool",
        "v1",
        "Cluster",
        [],
        [
          "karpenter",
        ],
        {
          "scale": {
            "specReplicasPath": ".spec.replicas",
            "statusReplicasPath": ".status.nodes",
          },
          "status": {},
        },
        [
          "NodeClass|string|.spec.template.spec.nodeClassRef.name|0",
          "Nodes|string|.status.nodes|0",
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
          "Weight|integer|.spec.weight|1",
          "CPU|string|.status.resources.cpu|1",
          "Memory|string|.status.resources.memory|1",
        ],
      ],
      [
        "NodeClaim",
        "v1",
        "Cluster",
        [],
        [
          "karpenter",
        ],
        {
          "status": {},
        },
        [
          "Type|string|.metadata.labels.node\\.kubernetes\\.io/instance-type|0",
          "Capacity|string|.metadata.labels.karpenter\\.sh/capacity-type|0",
          "Zone|string|.metadata.labels.topology\\.kubernetes\\.io/zone|0",
          "Node|string|.status.nodeName|0",
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
          "ImageID|string|.status.imageID|1",
          "ID|string|.status.providerID|1",
          "NodePool|string|.metadata.labels.karpenter\\.sh/nodepool|1",
          "NodeClass|string|.spec.nodeClassRef.name|1",
          "Drifted|string|.status.conditions[?(@.type=="Drifted")].status|1",
        ],
      ],
      [
        "NodeOverlay",
        "v1alpha1",
        "Cluster",
        [
          "overlays",
        ],
        [
          "karpenter",
        ],
        {
          "status": {},
        },
        [
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
          "Weight|integer|.spec.weight|1",
        ],
      ],
      [
        "CapacityBuffer",
        "v1beta1",
        "Namespaced",
        [
          "cb",
        ],
        [
          "autoscaling",
        ],
        {
          "status": {},
        },
        [
          "Strategy|string|.spec.provisioningStrategy|0",
          "PodTemplate|string|.status.podTemplateRef.name|0",
          "Replicas|integer|.status.replicas|0",
          "ConditionsType|string|.status.conditions[*].type|0",
          "ConditionsStatus|string|.status.conditions[*].status|0",
          "ConditionsReason|string|.status.conditions[*].reason|0",
          "Age|date|.metadata.creationTimestamp|0",
        ],
      ],
      [
        "KWOKNodeClass",
        "v1alpha1",
        "Cluster",
        [
          "kwoknc",
          "kwokncs",
        ],
        [
          "karpenter",
        ],
        {
          "status": {},
        },
        [
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
        ],
      ],
      [
        "EC2NodeClass",
        "v1",
        "Cluster",
        [
          "ec2nc",
          "ec2ncs",
        ],
        [
          "karpenter",
        ],
        {
          "status": {},
        },
        [
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
          "Role|string|.spec.role|1",
        ],
      ],
      [
        "ClusterAPINodeClass",
        "v1alpha1",
        "Cluster",
        [
          "capinc",
          "capincs",
        ],
        [
          "karpenter",
        ],
        {
          "status": {},
        },
        [
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
        ],
      ],
      [
        "AKSNodeClass",
        "v1beta1",
        "Cluster",
        [
          "aksnc",
          "aksncs",
        ],
        [
          "karpenter",
          "nap",
        ],
        {
          "status": {},
        },
        [
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
          "ImageFamily|string|.spec.imageFamily|1",
        ],
      ],
    ]
  `)
})

test('parsers of YAML 1.1 read the same values: no text becomes a date, a boolean or a number', () => {
  for (const { yaml, manifest } of everyManifest) {
    expect(parse(yaml, { version: '1.1' }), manifest.metadata.name).toEqual(parse(yaml))
    expect(parse(yaml), manifest.metadata.name).toEqual(manifest)
  }
})
