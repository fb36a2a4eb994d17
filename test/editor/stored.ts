/** The objects that are edited, as they are applied to the API server. */
export const storedPool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general', annotations: { own: 'x' }, labels: { team: 'shop' } },
  spec: {
    template: {
      metadata: { labels: { tier: 'web' } },
      spec: {
        requirements: [
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
        ],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        taints: [{ key: 'example.com/web', value: 'yes', effect: 'NoSchedule' }],
        expireAfter: '720h',
        terminationGracePeriod: '1h',
      },
    },
    limits: { cpu: '100', memory: '400Gi' },
    weight: 10,
    disruption: {
      consolidateAfter: '30s',
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 9 * * 1-5', duration: '8h', reasons: ['Drifted'] }],
    },
  },
} as const

export const storedClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    role: 'nodes',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { 'example.com/discovery': 'shop' } }],
    securityGroupSelectorTerms: [{ tags: { 'example.com/discovery': 'shop' } }],
    metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
    blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '20Gi', volumeType: 'gp3' } }],
    kubelet: { maxPods: 110 },
    tags: { team: 'shop' },
  },
} as const
