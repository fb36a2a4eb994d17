/** An edit of a text: the replaced text, its replacement, and a part of the line in which the editor must report the error. */
export interface Edit {
  readonly of: 'pool' | 'class'
  readonly from: string
  readonly to: string
  /** A part of a line of the edited text. The default is the first line of the replacement. */
  readonly at?: string
  /** Whether the editor describes the syntax of a name in words instead of the server's regular expression or decoder error. */
  readonly isInPlainWords?: boolean
}

const pool = (from: string, to: string, at?: string): Edit => ({ of: 'pool', from, to, ...(at && { at }) })
const plain = (from: string, to: string): Edit => ({ ...pool(from, to), isInPlainWords: true })
const ec2 = (from: string, to: string, at?: string): Edit => ({ of: 'class', from, to, ...(at && { at }) })

const AMD64 = 'values:\n            - amd64'

/** Sixty edits that an API server refuses. */
export const wrongEdits: readonly Edit[] = [
  // Types and enumerations.
  pool('consolidationPolicy: WhenEmptyOrUnderutilized', 'consolidationPolicy: Sometimes'),
  pool('consolidationPolicy: WhenEmptyOrUnderutilized', 'consolidationPolicy: whenEmpty'),
  pool('consolidationPolicy: WhenEmptyOrUnderutilized', 'consolidationPolicy: 5'),
  pool('effect: NoSchedule', 'effect: NoScheduling'),
  pool('operator: In', 'operator: Near'),
  pool('operator: In', 'operator: in'),
  pool('- Drifted', '- Sleepy', '- Sleepy'),
  pool('weight: 10', 'weight: heavy'),
  pool('weight: 10', 'weight: 1.5'),
  pool('weight: 10', 'weight: true'),
  pool('weight: 10', 'weight: []'),
  pool(AMD64, 'values: amd64'),
  pool(AMD64, 'values:\n            - 64', '- 64'),
  pool('expireAfter: 720h', 'expireAfter: 720'),
  pool('expireAfter: 720h', 'expireAfter: {}'),
  // Bounds and patterns.
  pool('weight: 10', 'weight: 101'),
  pool('weight: 10', 'weight: 0'),
  pool('weight: 10', 'weight: -1'),
  pool('expireAfter: 720h', 'expireAfter: 30d'),
  pool('expireAfter: 720h', 'expireAfter: never'),
  pool('expireAfter: 720h', 'expireAfter: -1h'),
  pool('terminationGracePeriod: 1h', 'terminationGracePeriod: 1 hour'),
  pool('consolidateAfter: 30s', 'consolidateAfter: soon'),
  pool('consolidateAfter: 30s', 'consolidateAfter: 1.5h'),
  pool('nodes: 10%', 'nodes: 110%'),
  pool('nodes: 10%', 'nodes: "-1"'),
  pool('nodes: 10%', 'nodes: ten'),
  pool('duration: 8h', 'duration: 8d'),
  pool('duration: 8h', 'duration: 30s'),
  pool('schedule: 0 9 * * 1-5', 'schedule: often'),
  pool('memory: 400Gi', 'memory: lots'),
  pool('memory: 400Gi', 'memory: 400GB'),
  // Missing and unknown fields.
  pool(
    'nodeClassRef:\n        group: karpenter.k8s.aws\n        kind: EC2NodeClass\n        name: default',
    'nodeClassRef: {}',
  ),
  pool('        name: default\n', '', 'nodeClassRef:'),
  pool('- effect: NoSchedule\n          key: example.com/web', '- key: example.com/web'),
  pool('expireAfter: 720h', 'expiresAfter: 720h'),
  pool('weight: 10', 'wieght: 10'),
  pool('operator: In', 'operator: In\n          note: mine', 'note: mine'),
  // Rules.
  pool(AMD64, 'values: []', 'key: kubernetes.io/arch'),
  pool('operator: In', 'operator: Exists\n          minValues: 99', 'minValues: 99'),
  pool('key: kubernetes.io/arch', 'key: kubernetes.io/hostname', 'kubernetes.io/hostname'),
  pool('key: kubernetes.io/arch', 'key: karpenter.sh/nodepool', 'karpenter.sh/nodepool'),
  pool('key: kubernetes.io/arch', 'key: "a b"', '"a b"'),
  pool('group: karpenter.k8s.aws', 'group: other.example', 'nodeClassRef:'),
  pool('kind: EC2NodeClass', 'kind: OtherClass', 'nodeClassRef:'),
  pool('- duration: 8h\n        nodes: "0"', '- nodes: "0"'),
  pool('tier: web', 'karpenter.sh/nodepool: web'),
  pool('tier: web', 'tier: web site', 'tier: web site'),
  pool('key: example.com/web', 'key: example.com/web/x'),
  // Metadata.
  plain('own: x', 'own: 5'),
  plain('own: x', '"o wn": x'),
  plain('team: shop', 'team: a b'),
  plain('team: shop', '"-team": shop'),
  // A node class.
  ec2('role: nodes', 'role: ""'),
  ec2('role: nodes', 'rule: nodes'),
  ec2('httpTokens: required', 'httpTokens: maybe'),
  ec2('httpPutResponseHopLimit: 1', 'httpPutResponseHopLimit: 65'),
  ec2('volumeType: gp3', 'volumeType: gp9'),
  ec2('volumeSize: 20Gi', 'volumeSize: 20GB'),
  ec2('alias: al2023@latest', 'alias: al2023'),
]

/** Twenty-five edits that an API server stores. */
export const rightEdits: readonly Edit[] = [
  pool('consolidationPolicy: WhenEmptyOrUnderutilized', 'consolidationPolicy: WhenEmpty'),
  pool('expireAfter: 720h', 'expireAfter: Never'),
  pool('expireAfter: 720h', 'expireAfter: 1h30m'),
  pool('consolidateAfter: 30s', 'consolidateAfter: Never'),
  pool('consolidateAfter: 30s', 'consolidateAfter: 0s'),
  pool('weight: 10', 'weight: 100'),
  pool('weight: 10', 'weight: 1'),
  pool('  weight: 10\n', ''),
  pool('cpu: "100"', 'cpu: 100'),
  pool('cpu: "100"', 'cpu: 100500m'),
  pool('memory: 400Gi', 'memory: 4e11'),
  pool('nodes: 10%', 'nodes: "3"'),
  pool('nodes: 10%', 'nodes: 100%'),
  pool('schedule: 0 9 * * 1-5', 'schedule: "@daily"'),
  pool('duration: 8h', 'duration: 1h30m'),
  pool('- Drifted', '- Drifted\n          - Empty'),
  pool(AMD64, 'values:\n            - amd64\n            - arm64'),
  pool('operator: In', 'operator: NotIn'),
  pool('key: kubernetes.io/arch', 'key: example.com/own'),
  pool('effect: NoSchedule', 'effect: PreferNoSchedule'),
  pool('tier: web', 'tier: ""'),
  pool('team: shop', 'team: other'),
  ec2('httpTokens: required', 'httpTokens: optional'),
  ec2('volumeSize: 20Gi', 'volumeSize: 100Gi'),
  ec2('maxPods: 110', 'maxPods: 58'),
]
