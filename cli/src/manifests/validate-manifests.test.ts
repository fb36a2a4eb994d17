import { coreVocabulary } from '@kerf/apis'
import { expect, test } from 'vitest'
import { parseManifests } from './parse-manifests.ts'
import { validateManifests } from './validate-manifests.ts'

const problem = (yaml: string): string | undefined => {
  try {
    validateManifests(parseManifests(yaml, 'f.yaml'), coreVocabulary)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const pool = ({
  spec = '',
  template = '',
  requirements = '',
  metadata = '',
  className = 'KWOKNodeClass',
} = {}): string =>
  `{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: p${metadata}}, spec: {${spec} template: {spec: {${template} nodeClassRef: {group: karpenter.kwok.sh, kind: ${className}, name: default}, requirements: [${requirements}]}}}}`
const deployment = (container: string, spec = ''): string =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {${spec} selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c${container}}]}}}}`

test('what an API server would take is taken, also as dry runs of kubectl print it', () => {
  expect(problem(pool())).toBeUndefined()
  expect(problem(pool({ metadata: ', creationTimestamp: null' }))).toBeUndefined()
  expect(problem(deployment(''))).toBeUndefined()
  expect(problem(deployment(', resources: {requests: {cpu: 1}}').replace(/}$/, ', status: {}}'))).toBeUndefined()
  expect(problem('{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, spec: {any: thing}}')).toBe(
    undefined,
  )
})

test.each([
  [pool({ spec: 'limit: {cpu: 10},' }), 'spec.limit: unknown field, did you mean limits?'],
  [
    pool({ spec: 'consolidateAfter: 30s,' }),
    'spec.consolidateAfter: unknown field, did you mean spec.disruption.consolidateAfter?',
  ],
  [pool({ spec: 'entirelyOther: 1,' }), 'spec.entirelyOther: unknown field'],
  [deployment(', resource: {}'), 'spec.template.spec.containers[0].resource: unknown field, did you mean resources?'],
  [deployment('', 'replica: 3,'), 'spec.replica: unknown field, did you mean replicas?'],
])('an unknown field with the one that was meant: %s', (yaml, message) =>
  expect(problem(yaml)).toMatch(new RegExp(`^f\\.yaml:1: \\w+ \\w+: ${message.replace(/[.[\]?]/g, '\\$&')}$`)),
)

test.each([
  [deployment('', 'replicas: "3",'), 'spec.replicas: is of type string, and must be int32'],
  [
    deployment(', resources: {requests: {cpu: lots}}'),
    'spec.template.spec.containers[0].resources.requests.cpu: "lots" is no amount',
  ],
  [deployment('').replace('labels: {app: web}', 'labels: {app: other}'), '`selector` does not match template `labels`'],
  [pool({ template: 'expireAfter: 30 days,' }), '"30 days" is neither Never nor a duration such as 30s, 10m or 720h'],
  [pool({ requirements: '{key: a.io/b, operator: In, values: x}' }), 'must be of type array'],
  [
    pool({ requirements: '{key: karpenter.sh/capacity-type, operator: In, values: [on_demand]}' }),
    'none of the values "on_demand" exists',
  ],
  [
    pool({ requirements: '{key: karpenter.k8s.aws/instance-famly, operator: Exists}', className: 'EC2NodeClass' }),
    'instance-famly',
  ],
])('types, durations and rules: %s', (yaml, message) => expect(problem(yaml)).toContain(message))

test('kinds of old versions lead to kerf migrate, misspelt ones to the right one', () => {
  const old = (apiVersion: string, kind: string): string | undefined =>
    problem(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a, uid: u}, spec: {}}`)
  const migrate = 'is no longer served; rewrite it as v1: kerf migrate manifests -f f.yaml'
  expect(old('karpenter.sh/v1beta1', 'NodePool')).toBe(`f.yaml:1: NodePool a: karpenter.sh/v1beta1 ${migrate}`)
  expect(old('karpenter.sh/v1alpha5', 'Provisioner')).toContain(migrate)
  expect(old('karpenter.k8s.aws/v1beta1', 'EC2NodeClass')).toContain(migrate)
  expect(old('karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate')).toContain(migrate)
  expect(old('karpenter.sh/v1', 'Nodepool')).toContain('did you mean NodePool of karpenter.sh/v1?')
  // One that is newer than Kerf is no slip of another.
  expect(old('admissionregistration.k8s.io/v1', 'DelegatingAdmissionPolicy')).toBeUndefined()
  expect(old('apps/v1', 'Deploymnet')).toContain('there is no kind Deploymnet in apps/v1, did you mean Deployment?')
})

test('what an API server has stored is not checked again, and of many problems a few are named', () => {
  expect(problem(pool({ spec: 'limit: {},', metadata: ', uid: u' }))).toBeUndefined()
  const six = 'a1: 1, a2: 1, a3: 1, a4: 1, a5: 1, a6: 1,'
  expect(problem(pool({ spec: six }))).toMatch(/; and 2 more problems$/)
})
