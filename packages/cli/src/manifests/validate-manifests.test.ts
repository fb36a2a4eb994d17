import { coreVocabulary } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { parseManifests } from './parse-manifests.ts'
import { checkFields, validateManifests, writtenProblems } from './validate-manifests.ts'
import type { ValidationMode } from './validation-option.ts'

/** Returns the warnings, the manifests and the error for a YAML text. */
const validated = (yaml: string, validate?: ValidationMode) => {
  const said: string[] = []
  const options = { warn: (line: string) => said.push(line), ...(validate === undefined ? {} : { validate }) }
  try {
    return { said, manifests: validateManifests(parseManifests(yaml, 'f.yaml'), coreVocabulary, options) }
  } catch (error) {
    return { said, refused: error instanceof Error ? error.message : String(error) }
  }
}

const problem = (yaml: string): string | undefined => {
  const { said, refused } = validated(yaml, 'strict')
  expect(said).toEqual([])
  return refused
}

const pool = ({ spec = '', template = '', requirements = '', metadata = '' } = {}): string =>
  `{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: p${metadata}}, spec: {${spec} template: {spec: {${template} nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}, requirements: [${requirements}]}}}}`
const deployment = (container: string, spec = ''): string =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {${spec} selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i${container}}]}}}}`

test('accepts what an API server accepts, including the output of kubectl dry runs', () => {
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
])('suggests the right name for an unknown field: %s', (yaml, message) =>
  expect(problem(yaml)).toMatch(new RegExp(`^f\\.yaml:1: \\w+ \\w+: ${message.replace(/[.[\]?]/g, '\\$&')}$`)),
)

test.each([
  [deployment('', 'replicas: "3",'), 'spec.replicas: is of type string, and must be int32'],
  [deployment('', 'replicas: 1.5,'), 'spec.replicas: must be an integer, not 1.5'],
  [
    deployment('', 'replicas: 3000000000,'),
    'spec.replicas: must be of type int32 (-2147483648 to 2147483647), not 3000000000',
  ],
  [
    deployment(', resources: {requests: {cpu: lots}}'),
    'spec.template.spec.containers[0].resources.requests.cpu: must be a quantity, for example "500m" or "4Gi", not "lots"',
  ],
  [deployment('').replace('labels: {app: web}', 'labels: {app: other}'), '`selector` does not match template `labels`'],
  [pool({ template: 'expireAfter: 30 days,' }), '"30 days" is neither Never nor a duration such as 30s, 10m or 720h'],
  [pool({ requirements: '{key: a.io/b, operator: In, values: x}' }), 'must be of type array'],
  [
    pool({ requirements: '{key: karpenter.sh/capacity-type, operator: In, values: [on_demand]}' }),
    'none of the values "on_demand" exists',
  ],
])('checks types, durations and rules: %s', (yaml, message) => expect(problem(yaml)).toContain(message))

test('suggests kerf migrate for old versions, and the right spelling for misspelt kinds', () => {
  const old = (apiVersion: string, kind: string): string | undefined =>
    problem(`{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a, uid: u}, spec: {}}`)
  const migrate = 'is not served; convert it to v1: kerf migrate manifests -f f.yaml'
  expect(old('karpenter.sh/v1beta1', 'NodePool')).toBe(`f.yaml:1: NodePool a: karpenter.sh/v1beta1 ${migrate}`)
  expect(old('karpenter.sh/v1alpha5', 'Provisioner')).toContain(migrate)
  expect(old('karpenter.sh/v1', 'Nodepool')).toContain('did you mean NodePool of karpenter.sh/v1?')
  // Kerf does not report a kind that is newer than this Kerf as a typo.
  expect(old('admissionregistration.k8s.io/v1', 'DelegatingAdmissionPolicy')).toBeUndefined()
  expect(old('apps/v1', 'Deploymnet')).toContain('there is no kind Deploymnet in apps/v1, did you mean Deployment?')
  const piped = parseManifests(
    '{apiVersion: karpenter.sh/v1beta1, kind: NodePool, metadata: {name: a}}',
    '(standard input)',
  )
  expect(() => validateManifests(piped, coreVocabulary, { warn: expect.fail })).toThrow('kerf migrate manifests -f -')
})

test('does not check objects that an API server has stored, and names only the first few problems', () => {
  const wrong = '{key: karpenter.sh/capacity-type, operator: In, values: [on_demand]}'
  expect(problem(pool({ spec: 'limit: {},', requirements: wrong, metadata: ', uid: u' }))).toBeUndefined()
  const six = 'a1: 1, a2: 1, a3: 1, a4: 1, a5: 1, a6: 1,'
  expect(problem(pool({ spec: six }))).toMatch(/; and 2 more problems$/)
})

const object = (apiVersion: string, kind: string, fields: string): string =>
  `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}, ${fields}}`
const statefulSet = (mount: string): string =>
  object(
    'apps/v1',
    'StatefulSet',
    `spec: {serviceName: a, selector: {matchLabels: {app: a}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}}], template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i, ${mount}}]}}}`,
  )

describe('the schema decides which fields are quantities', () => {
  const schema =
    '{type: object, properties: {limits: {type: object}, requests: {type: array}, capacity: {type: string}}}'
  test.each([
    ['a StatefulSet that mounts its claim', statefulSet('volumeMounts: [{name: data, mountPath: /data}]')],
    ['a StatefulSet with its claim as a device', statefulSet('volumeDevices: [{name: data, devicePath: /dev/x}]')],
    [
      'an overhead',
      object('node.k8s.io/v1', 'RuntimeClass', 'handler: a, overhead: {podFixed: {cpu: "2", memory: 1Gi}}'),
    ],
    [
      'properties of a CRD',
      object(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        `spec: {group: b.io, scope: Cluster, names: {kind: A, plural: as}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${schema}}}]}`,
      ).replace('name: a}', 'name: as.b.io}'),
    ],
    [
      'the capacity of a device',
      object(
        'resource.k8s.io/v1',
        'ResourceSlice',
        'spec: {driver: a.io, nodeName: node-a, pool: {name: p, resourceSliceCount: 1, generation: 1}, devices: [{name: d, capacity: {memory: {value: 40Gi}}}]}',
      ),
    ],
    [
      'the requests of a claim',
      object(
        'resource.k8s.io/v1',
        'ResourceClaim',
        'spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c, capacity: {requests: {memory: 1Gi}}}}]}}',
      ),
    ],
    [
      'data of a revision',
      object('apps/v1', 'ControllerRevision', 'revision: 1, data: {spec: {limits: {enabled: true}}}'),
    ],
    [
      'values of another project',
      object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'spec: {values: {limits: {enabled: true}, capacity: []}}'),
    ],
    [
      'a quantity that is null',
      object('v1', 'Pod', 'spec: {containers: [{name: c, image: i, resources: {requests: {cpu: null}}}]}'),
    ],
    ['percentages with zeros', object('policy/v1', 'PodDisruptionBudget', 'spec: {minAvailable: 050%, selector: {}}')],
    ['a subresource', object('authentication.k8s.io/v1', 'TokenRequest', 'spec: {audiences: []}')],
  ])('%s', (_, yaml) => expect(problem(yaml)).toBeUndefined())

  test.each([
    [statefulSet('volumeMounts: [{name: date, mountPath: /data}]'), 'volumeMounts[0].name: Not found: "date"'],
    [
      object('node.k8s.io/v1', 'RuntimeClass', 'handler: a, overhead: {podFixed: {cpu: two}}'),
      'overhead.podFixed.cpu: must be a quantity',
    ],
    [object('v1', 'Secret', 'data: {a: "%"}'), 'data.a: must be text in base64'],
    [object('policy/v1', 'PodDisruptionBudget', 'spec: {minAvailable: 101%}'), 'must not be greater than 100%'],
    [
      object('v1', 'ConfigMap', 'data: {a: 1, b: {}}'),
      'data.a: is of type number, and must be string; f.yaml:1: ConfigMap a: data.b',
    ],
    [object('v1', 'ConfigMap', 'data: {}').replace('name: a', 'name: A_b'), 'metadata.name: Invalid value'],
  ])('finds the mistake: %s', (yaml, message) => expect(problem(yaml)).toContain(message))
})

describe('--validate', () => {
  const typo = deployment('', 'replica: 3, replicas: 1, replicas: 2,')
  const unknown = 'f.yaml:1: Deployment web: spec.replica: unknown field, did you mean replicas?'
  const repeated = 'f.yaml:1: Deployment web: duplicate field replicas; Kerf uses the last value'

  test('strict refuses unknown and repeated fields, warn reports them, ignore is silent', () => {
    expect(validated(typo, 'strict')).toEqual({ said: [], refused: `${repeated}; ${unknown}` })
    expect(validated(typo)).toMatchObject({
      said: [`warning: ${repeated}`, `warning: ${unknown}`],
      manifests: [{ object: { spec: { replicas: 2 } } }],
    })
    expect(validated(typo, 'ignore').said).toEqual([])
    for (const mode of ['warn', 'ignore'] as const)
      expect(validated(typo, mode).manifests?.[0]?.object).not.toHaveProperty('spec.replica')
  })

  test('skips and reports objects that no plan needs, and refuses them with strict', () => {
    const text = `---\n${object('v1', 'ConfigMap', 'data: {a: 1}')}\n---\n${deployment('')}\n`
    const because = 'data.a: is of type number, and must be string'
    for (const mode of ['warn', 'ignore'] as const) {
      const { said, manifests } = validated(text, mode)
      expect(said).toEqual([
        `warning: ignored, because an API server would reject it: f.yaml:2: ConfigMap a: ${because}`,
      ])
      expect(manifests?.map(({ object: { kind } }) => kind)).toEqual(['Deployment'])
    }
    expect(validated(text, 'strict').refused).toBe(`f.yaml:2: ConfigMap a: ${because}`)
  })

  test('refuses invalid objects that a plan needs in every mode, even if the kind is misspelt', () => {
    for (const mode of ['strict', 'warn', 'ignore'] as const) {
      // The API server also reports that it skipped the rules of the NodePool. Kerf does not show that as a problem.
      const requirements = '{key: a.io/b, operator: In, values: x}'
      expect(validated(pool({ requirements }), mode).refused).toMatch(/must be of type array: "string"$/)
      expect(validated(deployment('', 'replicas: three,'), mode).refused).toContain('spec.replicas: is of type string')
      expect(validated(deployment('').replace('kind: Deployment', 'kind: Deploymnet'), mode).refused).toContain(
        'Deployment?',
      )
    }
  })
})

test('only strict requires an image, because plans do not use images', () => {
  const text = object('v1', 'Pod', 'spec: {containers: [{name: c}]}')
  expect(validated(text)).toMatchObject({ said: [], manifests: [{ object: { kind: 'Pod' } }] })
  expect(problem(text)).toBe('f.yaml:1: Pod a: spec.containers[0].image: Required value')
})

test('a refusal also names unknown fields, because a misspelt field may be the missing field', () => {
  expect(validated(deployment('', 'replica: 3, replicas: three,'))).toEqual({
    said: [],
    refused:
      'f.yaml:1: Deployment web: spec.replica: unknown field, did you mean replicas?; f.yaml:1: Deployment web: spec.replicas: is of type string, and must be int32',
  })
})

test('drops unknown fields of a NodePool, and ignores unknown fields of its status', () => {
  const text = pool({ spec: 'limit: {cpu: 10},' }).replace(/}$/, ', status: {later: 1}}')
  const { said, manifests } = validated(text)
  expect(said).toEqual(['warning: f.yaml:1: NodePool p: spec.limit: unknown field, did you mean limits?'])
  expect(manifests?.[0]?.object).not.toHaveProperty('spec.limit')
})

test('for objects that Kerf writes, reports what strict validation or the controller would refuse', () => {
  const problems = (yaml: string) =>
    writtenProblems(
      parseManifests(yaml, '-').map(({ object: each }) => each),
      coreVocabulary,
    )
  expect(problems(pool())).toEqual([])
  expect(problems(deployment('', 'replica: 3,'))).toEqual([
    { object: 'Deployment/web', message: 'spec.replica: unknown field, did you mean replicas?' },
  ])
  expect(problems('{apiVersion: apps/v1, kind: Deploymnet, metadata: {name: a}}')).toEqual([
    { object: 'Deploymnet/a', message: 'there is no kind Deploymnet in apps/v1, did you mean Deployment?' },
  ])
  const requirements = '{key: karpenter.sh/capacity-type, operator: In, values: [on_demand]}'
  expect(problems(pool({ requirements }))).toEqual([
    { object: 'NodePool/p', message: expect.stringContaining('none of the values "on_demand" exists') },
  ])
})

test('returns manifests as a server would read them: without nulls, and with their status', () => {
  const yaml = object('v1', 'Node', 'spec: {taints: null, unschedulable: false}, status: {capacity: {cpu: 0.5}}')
  const { apiVersion: _, kind: __, ...fields } = validated(yaml).manifests?.[0]?.object ?? {}
  expect(fields).toEqual({
    metadata: { name: 'a' },
    spec: { unschedulable: false },
    status: { capacity: { cpu: 0.5 } },
  })
})

test('a command that only inspects objects warns about fields, and refuses only with strict', () => {
  const text = `${deployment('', 'replica: 3,')}\n---\n${deployment('', 'replicas: three,')}\n`
  const looked = (validate: ValidationMode): readonly string[] => {
    const said: string[] = []
    checkFields(parseManifests(text, 'f.yaml'), { validate, warn: (line) => said.push(line) })
    return said
  }
  const unknown = 'f.yaml:1: Deployment web: spec.replica: unknown field, did you mean replicas?'
  expect(looked('warn')).toEqual([`warning: ${unknown}`])
  expect(looked('ignore')).toEqual([])
  expect(() => looked('strict')).toThrow(`${unknown}; f.yaml:3: Deployment web: spec.replicas: is of type string`)
})

test('a null counts as absent, even in kinds of Karpenter', () => {
  const nulls = pool({ spec: 'limits: null, disruption: null,', template: 'taints: null,', metadata: ', labels: null' })
  const { manifests, said } = validated(nulls)
  expect(said).toEqual([])
  expect(manifests?.[0]?.object.metadata).toEqual({ name: 'p' })
  expect(manifests?.[0]?.object).not.toHaveProperty('spec.limits')
  expect(problem(nulls)).toBeUndefined()
})
