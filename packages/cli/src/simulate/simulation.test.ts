import type { KubeObject } from '@kerf/apis'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { allCrdManifests } from '../crds/crd-files.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { runSimulation } from './simulation.ts'

const MINUTE = 60_000

const asManifest = (object: KubeObject): Manifest => ({ object, file: 'test', line: 0 })

const object = (apiVersion: string, kind: string, name: string, rest: object): KubeObject => ({
  ...{ apiVersion, kind, metadata: { name, ...(kind === 'StorageClass' ? {} : { namespace: 'default' }) } },
  ...rest,
})

/** The volumes of this workload are created in random zones, so the nodes and their cost depend on the seed. */
const workload: readonly KubeObject[] = [
  object('storage.k8s.io/v1', 'StorageClass', 'anywhere', {
    provisioner: 'disk.example.com',
    volumeBindingMode: 'Immediate',
    allowedTopologies: [
      {
        matchLabelExpressions: [
          { key: 'topology.kubernetes.io/zone', values: ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'] },
        ],
      },
    ],
  }),
  object('apps/v1', 'StatefulSet', 'db', {
    spec: {
      replicas: 8,
      podManagementPolicy: 'Parallel',
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: { containers: [{ name: 'main', image: 'db', resources: { requests: { cpu: '1500m' } } }] },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'anywhere',
            resources: { requests: { storage: '1Gi' } },
          },
        },
      ],
    },
  }),
]

/** A CRD of another project that a provider could install. */
const strangeClass = parseManifests(
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: strangeclasses.strange.example}
spec:
  group: strange.example
  scope: Cluster
  names: {plural: strangeclasses, singular: strangeclass, kind: StrangeClass, listKind: StrangeClassList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
`,
  'strange.yaml',
)

test('the CRD of a further provider does not change what a seed plays', async () => {
  const definitions = allCrdManifests()
  const instanceTypes = await loadInstanceTypes()
  const pool = nodePool('general', {
    templateSpec: { expireAfter: 'Never' },
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' },
  })
  const play = (given: readonly Manifest[], seed = 1) =>
    runSimulation(
      {
        name: 'seeded',
        manifests: [kwokNodeClass('default'), pool, ...workload].map(asManifest),
        instanceTypes,
        steps: [],
        seed,
        span: 10 * MINUTE,
      },
      given,
    )
  const [first, ...others] = definitions
  if (first === undefined) throw new Error('no definition')
  const result = await play(definitions)
  expect({ ...(await play(definitions, 2)), seed: 1 }).not.toEqual(result)
  expect(await play([first, ...strangeClass, ...others])).toEqual(result)
})
