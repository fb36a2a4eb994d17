import { describe, expect, test } from 'vitest'
import { clientView, crdProblems } from './conformance/crd-rules.ts'
import { crdManifests } from './crd-manifest.ts'
import { provisionerResource } from './legacy/provisioner.ts'
import { coreResources, karpenterKinds, policyKinds } from './resources/index.ts'

const manifests = crdManifests({ resources: coreResources })

test('there is one manifest for each kind, in the order of installation', () => {
  expect(manifests.map(({ manifest }) => manifest.metadata.name)).toEqual([
    'nodepools.karpenter.sh',
    'nodeclaims.karpenter.sh',
    'nodeoverlays.karpenter.sh',
    'capacitybuffers.autoscaling.x-k8s.io',
    'clusterpolicies.kerf.sh',
    'nodepoolpolicies.kerf.sh',
  ])
  expect(coreResources.map(({ kind }) => kind)).toEqual([
    ...Object.values(karpenterKinds),
    ...Object.values(policyKinds),
  ])
})

// The legacy kind must follow the same rules. Each provider checks its own node classes.
describe.each([...manifests, ...crdManifests({ resources: [provisionerResource] })])('$fileName', (file) => {
  const problems = crdProblems(file)

  test('every named field of spec and status has a description', () => {
    expect(problems.descriptions).toEqual([])
  })

  test('lists have a list type, and every rule has a message and compiles', () => {
    expect(problems.lists).toEqual([])
  })

  test('every column refers to an existing field', () => {
    expect(problems.columns).toEqual([])
  })

  test('parsers of YAML 1.1 read the same values, so that no text becomes a date, a boolean or a number', () => {
    expect(problems.yaml).toEqual([])
  })
})

test('the resource has the names, columns and subresources that clients expect', () => {
  expect(manifests.map(clientView)).toMatchInlineSnapshot(`
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
        "ClusterPolicy",
        "v1alpha1",
        "Cluster",
        [],
        [
          "kerf",
        ],
        {
          "status": {},
        },
        [
          "Accepted|string|.status.conditions[?(@.type=="Accepted")].status|0",
          "Reason|string|.status.conditions[?(@.type=="Accepted")].reason|0",
          "Age|date|.metadata.creationTimestamp|0",
          "Ceilings|string|.status.ceilings[*].name|1",
          "Headroom|string|.status.ceilings[*].headroom|1",
        ],
      ],
      [
        "NodePoolPolicy",
        "v1alpha1",
        "Cluster",
        [],
        [
          "kerf",
        ],
        {
          "status": {},
        },
        [
          "Accepted|string|.status.conditions[?(@.type=="Accepted")].status|0",
          "Reason|string|.status.conditions[?(@.type=="Accepted")].reason|0",
          "Age|date|.metadata.creationTimestamp|0",
          "Targets|string|.status.targets[*].name|1",
        ],
      ],
    ]
  `)
})
