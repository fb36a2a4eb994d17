import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import {
  annotate,
  type Broken,
  DO_NOT_DISRUPT,
  event,
  exported,
  get,
  type Loose,
  type Objects,
  SAFE_TO_EVICT,
} from './broken.ts'

const pool = (objects: Objects): Loose => get(objects, 'NodePool', 'default')

/** Changes the NodePool to launch on AWS with the EC2NodeClass of the cluster. */
const onAws = (objects: Objects): void => {
  pool(objects)['spec'].template.spec.nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' }
}

const ec2Class = (amiSelectorTerms: readonly object[]): Loose => ({
  ...ec2NodeClass('web', { spec: { amiSelectorTerms, role: 'node' } }),
})

const replaceClass = (objects: Objects, by: Loose): void => {
  objects.splice(objects.indexOf(get(objects, 'EC2NodeClass', 'web')), 1, by)
}

/** Faults of NodePools, their node classes and their nodes. */
export const nodePoolFaults: Readonly<Record<string, Broken>> = {
  'a NodePool that is not ready': {
    id: 'POOL-001',
    breaks: (objects) => {
      pool(objects)['status'].conditions = [{ type: 'Ready', status: 'False', reason: 'NodeClassNotReady' }]
    },
    objects: ['NodePool default'],
  },
  'requirements that admit nothing': {
    id: 'POOL-002',
    breaks: (objects) => {
      pool(objects)['spec'].template.spec.requirements.push({
        key: 'node.kubernetes.io/instance-type',
        operator: 'In',
        values: ['z9.mega'],
      })
    },
    objects: ['NodePool default'],
  },
  'two NodePools for the same pods': {
    id: 'POOL-003',
    breaks: (objects) => {
      const { metadata, ...rest } = pool(objects)
      objects.push({ ...rest, metadata: { ...metadata, name: 'second' } })
    },
    objects: ['NodePool default', 'NodePool second'],
  },
  'no limits': {
    id: 'POOL-004',
    breaks: (objects) => {
      delete pool(objects)['spec'].limits
    },
    objects: ['NodePool default'],
  },
  'a limit that is used up': {
    id: 'POOL-005',
    breaks: (objects) => {
      pool(objects)['spec'].limits = { cpu: '8' }
    },
    objects: ['NodePool default'],
  },
  'spot of one instance type': {
    id: 'POOL-006',
    breaks: (objects) => {
      pool(objects)['spec'].template.spec.requirements.push({
        key: 'node.kubernetes.io/instance-type',
        operator: 'In',
        values: ['m-4x-amd64-linux'],
      })
    },
    objects: ['NodePool default'],
  },
  'a budget of zero': {
    id: 'POOL-007',
    breaks: (objects) => {
      pool(objects)['spec'].disruption.budgets = [{ nodes: '0' }]
    },
    objects: ['NodePool default'],
  },
  'a budget whose schedule cannot be read': {
    id: 'POOL-007',
    breaks: (objects) => {
      pool(objects)['spec'].disruption.budgets = [{ nodes: '1', schedule: '0 9 * * 7', duration: '8h' }]
    },
    objects: ['NodePool default'],
  },
  'a protected pod, and no end of draining': {
    id: 'POOL-008',
    breaks: (objects) => {
      annotate(objects, 'web', { [DO_NOT_DISRUPT]: '24h', [SAFE_TO_EVICT]: 'false' })
      delete pool(objects)['spec'].template.spec.terminationGracePeriod
    },
    objects: ['NodePool default'],
  },
  'twelve nodes of one hour': {
    id: 'POOL-009',
    breaks: (objects) => {
      const { metadata, ...claim } = get(objects, 'NodeClaim', 'default-new-a')
      for (let count = 0; count < 10; count++)
        objects.push({ ...claim, metadata: { ...metadata, name: `default-${count}`, uid: `c-${count}` } })
    },
    objects: ['NodePool default'],
  },
  'a CNI that tolerates nothing': {
    id: 'POOL-010',
    breaks: (objects) => {
      delete get(objects, 'DaemonSet', 'aws-node')['spec'].template.spec.tolerations
    },
    objects: ['NodePool default'],
  },
  'an image that is not pinned': {
    id: 'POOL-011',
    breaks: (objects) => {
      replaceClass(objects, ec2Class([{ alias: 'al2023@latest' }]))
      onAws(objects)
    },
    objects: ['EC2NodeClass web'],
    severity: 'warning',
  },
  'a node class that finds no subnet': {
    id: 'POOL-011',
    breaks: (objects) => {
      replaceClass(objects, {
        ...ec2Class([{ alias: 'al2023@v20260801' }]),
        status: { conditions: [], subnets: [] },
      })
      onAws(objects)
    },
    objects: ['EC2NodeClass web'],
    severity: 'critical',
  },
  'a subnet with forty addresses': {
    id: 'POOL-012',
    breaks: (objects, cloud) => {
      onAws(objects)
      exported(cloud, 'Subnets')['Subnets'][0].AvailableIpAddressCount = 40
      pool(objects)['spec'].limits = { nodes: '50' }
    },
    objects: ['NodePool default'],
  },
  'a node group whose pods take the role of the node': {
    id: 'POOL-013',
    breaks: (_objects, cloud) => {
      const [version] = exported(cloud, 'LaunchTemplateVersions')['LaunchTemplateVersions']
      version.LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit = 2
    },
    objects: ['EC2NodeClass web'],
  },
  'two security groups with the tag of the cluster': {
    id: 'POOL-014',
    breaks: (objects) => {
      get(objects, 'EC2NodeClass', 'web')['status'].securityGroups.push({ id: 'sg-b' })
    },
    objects: ['EC2NodeClass web'],
  },
  'two roles and no taint': {
    id: 'POOL-015',
    breaks: (objects) => {
      onAws(objects)
      const strong = structuredClone(get(objects, 'EC2NodeClass', 'web'))
      strong['metadata'].name = 'strong'
      strong['spec'].role = 'admin'
      const second = structuredClone(pool(objects))
      second['metadata'].name = 'second'
      second['spec'].weight = 10
      second['spec'].template.spec.nodeClassRef.name = 'strong'
      objects.push(strong, second)
      for (const each of [pool(objects), second]) delete each['spec'].template.spec.taints
    },
    objects: ['NodePool default', 'NodePool second'],
    // Without taints, both autoscalers would launch nodes for the same pods (COX-002). The role `admin` has no access entry (CLD-003).
    besides: ['CLD-003', 'COX-002'],
  },
  'two roles, and a taint that every pod can tolerate': {
    id: 'POOL-015',
    breaks: (objects) => {
      onAws(objects)
      const strong = structuredClone(get(objects, 'EC2NodeClass', 'web'))
      strong['metadata'].name = 'strong'
      strong['spec'].role = 'admin'
      const second = structuredClone(pool(objects))
      second['metadata'].name = 'second'
      second['spec'].weight = 10
      second['spec'].template.spec.nodeClassRef.name = 'strong'
      second['spec'].template.spec.taints = [{ key: 'admin', effect: 'NoSchedule' }]
      objects.push(strong, second)
    },
    objects: ['NodePool default', 'NodePool second'],
    besides: ['CLD-003'],
  },
  'a drifted node': {
    id: 'POOL-016',
    breaks: (objects) => {
      get(objects, 'NodeClaim', 'default-new-a')['status'].conditions.push({
        type: 'Drifted',
        status: 'True',
        reason: 'NodePoolDrifted',
      })
    },
    objects: ['NodeClaim default-new-a'],
  },
  'six nodes of a pool of two gone within the hour': {
    id: 'POOL-017',
    breaks: (objects) => {
      for (let count = 0; count < 6; count++)
        objects.push(event('DisruptionTerminating', 'NodeClaim', '', `default-aaaa${count}`))
    },
    objects: ['NodePool default'],
  },
  'kubelet settings in an annotation of Karpenter 1.0': {
    id: 'POOL-019',
    breaks: (objects) => {
      get(objects, 'NodePool', 'default')['metadata'].annotations = {
        'compatibility.karpenter.sh/v1beta1-kubelet-conversion': '{"maxPods":110}',
      }
    },
    objects: ['NodePool default'],
  },
  'a startup taint that nobody takes off': {
    id: 'POOL-018',
    breaks: (objects) => {
      get(objects, 'NodePool', 'default')['spec'].template.spec.startupTaints = [
        { key: 'karpenter.sh/unregistered', effect: 'NoSchedule' },
      ]
    },
    objects: ['NodePool default'],
  },
}
