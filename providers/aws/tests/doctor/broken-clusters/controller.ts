import { type Broken, findPods, get, type Objects } from './broken.ts'

const move = (objects: Objects, name: string, ...nodes: readonly string[]): void => {
  const pods = objects.filter((each) => each['kind'] === 'Pod' && each['metadata'].name.startsWith(`${name}-7d9-`))
  for (const [index, pod] of pods.entries()) pod['spec'].nodeName = nodes[index % nodes.length]
}

/** Faults of the controller and of its dependencies. */
export const controllerFaults: Readonly<Record<string, Broken>> = {
  'a replica of the controller that is not ready': {
    id: 'CTL-001',
    breaks: (objects) => {
      get(objects, 'Deployment', 'karpenter')['status'].readyReplicas = 1
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'the controller on its own nodes': {
    id: 'CTL-001',
    breaks: (objects) => move(objects, 'karpenter', 'new-a', 'system-b'),
    objects: ['Pod kube-system/karpenter-7d9-0'],
  },
  'no room for the controller on the other node': {
    id: 'CTL-002',
    breaks: (objects) => {
      get(objects, 'Node', 'system-b')['status'].allocatable.memory = '1Gi'
    },
    objects: ['Node system-a'],
  },
  'another node that fits the controller or DNS, but not both': {
    id: 'CTL-002',
    breaks: (objects) => {
      // The node has three pods that request 512Mi each.
      get(objects, 'Node', 'system-b')['status'].allocatable.memory = '2Gi'
    },
    objects: ['Node system-a'],
  },
  'a CRD that serves v1beta1 only': {
    id: 'CTL-003',
    breaks: (objects) => {
      const crd = get(objects, 'CustomResourceDefinition', 'nodepools.karpenter.sh')
      crd['spec'].versions = [{ name: 'v1beta1', served: true, storage: true }]
    },
    objects: ['CustomResourceDefinition nodepools.karpenter.sh'],
    severity: 'critical',
  },
  'a CRD with an older stored version': {
    id: 'CTL-003',
    breaks: (objects) => {
      const crd = get(objects, 'CustomResourceDefinition', 'nodepools.karpenter.sh')
      crd['status'].storedVersions = ['v1beta1', 'v1']
    },
    objects: ['CustomResourceDefinition nodepools.karpenter.sh'],
    severity: 'warning',
  },
  'the CRD of a node class with an older stored version': {
    id: 'CTL-003',
    breaks: (objects) => {
      objects.push({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'ec2nodeclasses.karpenter.k8s.aws' },
        spec: {
          group: 'karpenter.k8s.aws',
          versions: [
            { name: 'v1beta1', served: true, storage: false },
            { name: 'v1', served: true, storage: true },
          ],
        },
        status: { storedVersions: ['v1beta1', 'v1'] },
      })
    },
    objects: ['CustomResourceDefinition ec2nodeclasses.karpenter.k8s.aws'],
    severity: 'warning',
  },
  'a role without NodeClaims': {
    id: 'CTL-004',
    breaks: (objects) => {
      const everything = { apiGroups: ['', 'apps', 'policy', 'storage.k8s.io'], resources: ['*'], verbs: ['*'] }
      get(objects, 'ClusterRole', 'karpenter')['rules'] = [everything]
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a memory limit that is too small': {
    id: 'CTL-005',
    breaks: (objects) => {
      const [container] = get(objects, 'Deployment', 'karpenter')['spec'].template.spec.containers
      container.resources.limits = { memory: '256Mi' }
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a CPU limit that is too small': {
    id: 'CTL-005',
    breaks: (objects) => {
      const [container] = get(objects, 'Deployment', 'karpenter')['spec'].template.spec.containers
      container.resources.limits = { cpu: '250m' }
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'one replica of the controller': {
    id: 'CTL-006',
    breaks: (objects) => {
      const controller = get(objects, 'Deployment', 'karpenter')
      controller['spec'].replicas = 1
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a flow schema that all share': {
    id: 'CTL-007',
    breaks: (objects) => {
      const schema = get(objects, 'FlowSchema', 'kube-system-service-accounts')
      objects.splice(objects.indexOf(schema), 1)
    },
    objects: ['Deployment kube-system/karpenter'],
  },
  'a webhook whose backends run on NodePools alone': {
    id: 'CTL-008',
    breaks: (objects) => {
      objects.push({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'policy' },
        webhooks: [
          {
            failurePolicy: 'Fail',
            rules: [{ apiGroups: [''], resources: ['pods'] }],
            clientConfig: { service: { namespace: 'shop', name: 'web' } },
          },
        ],
      })
    },
    objects: ['ValidatingWebhookConfiguration policy'],
  },
  'a kubelet that is four releases behind': {
    id: 'CTL-009',
    breaks: (objects) => {
      get(objects, 'Node', 'new-a')['status'].nodeInfo.kubeletVersion = 'v1.32.4-eks-1'
    },
    objects: ['Node new-a'],
  },
  'a NodeOverlay without its feature gate': {
    id: 'CTL-010',
    breaks: (objects) => {
      objects.push({ apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata: { name: 'cheap' }, spec: {} })
    },
    objects: ['NodeOverlay cheap'],
  },
  'DNS on nodes of NodePools': {
    id: 'CTL-011',
    breaks: (objects) => move(objects, 'coredns', 'new-a', 'new-b'),
    objects: ['Pod kube-system/coredns-7d9-0', 'Pod kube-system/coredns-7d9-1'],
  },
  'a critical workload on nodes of NodePools': {
    id: 'CTL-012',
    breaks: (objects) => {
      for (const pod of findPods(objects, 'web')) pod['spec'].priorityClassName = 'system-cluster-critical'
    },
    objects: ['Deployment shop/web'],
  },
}
