import { expect, test } from 'vitest'
import { builtinKindNames, objectWithAllFields } from './all-fields.ts'
import { checkBuiltinManifest } from './manifest-check.ts'

const names = builtinKindNames()

test('every field of every built-in kind is known, with its type', () => {
  expect(names.length).toBeGreaterThan(60)
  const found = names.flatMap((name) => {
    const { problems = [] } = checkBuiltinManifest(objectWithAllFields(name)) ?? {}
    return problems
      .filter(({ message }) => message === undefined || message.startsWith('is of type'))
      .map(({ field, message }) => `${name} ${field} ${message ?? 'unknown'}`)
  })
  expect(found).toEqual([])
})

test('unknown fields and values of a wrong type are found in every kind', () => {
  for (const name of names) {
    const object = { ...objectWithAllFields(name), entirelyOther: 1 }
    const problems = checkBuiltinManifest(object)?.problems ?? []
    expect(problems.some(({ field, message }) => field === 'entirelyOther' && message === undefined)).toBe(true)
    const metadata = { name: 'a', labels: 'none' } as unknown as ReturnType<typeof objectWithAllFields>['metadata']
    expect(checkBuiltinManifest({ ...objectWithAllFields(name), metadata })?.problems).toContainEqual({
      field: 'metadata.labels',
      message: 'is of type string, and must be map[string]',
      known: [],
    })
  }
})

const problemsOf = (apiVersion: string, kind: string, fields: object, name = 'a'): readonly string[] =>
  checkBuiltinManifest({ apiVersion, kind, metadata: { name }, ...fields } as ReturnType<
    typeof objectWithAllFields
  >)?.problems.map(({ field, message }) => `${field}: ${message ?? 'unknown'}`) ?? []

test.each([
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    { subjects: [{ kind: 'ServiceAccount', name: 'b' }] },
    'subjects[0].namespace: Required value',
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    { subjects: [{ kind: 'Robot', name: 'b' }] },
    'subjects[0].kind: Unsupported value: "Robot"',
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    { spec: { rules: [{ host: '__HOST__' }] } },
    'spec.rules[0].host: Invalid value: "__HOST__"',
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    { spec: { rules: [{ host: '*.b.*' }] } },
    'spec.rules[0].host: Invalid value: "*.b.*": a wildcard',
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    { spec: { rules: [{ host: '10.0.0.1' }] } },
    'must be a DNS name, not an IP address',
  ],
  [
    'v1',
    'Pod',
    { spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 1, protocol: 'tcp' }] }] } },
    'ports[0].protocol: Unsupported value: "tcp"',
  ],
  [
    'v1',
    'ReplicationController',
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } } },
    'spec.selector: Required value',
  ],
  [
    'batch/v1',
    'CronJob',
    {
      spec: {
        schedule: '',
        jobTemplate: { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } } },
      },
    },
    'template.spec.restartPolicy: Required value',
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { spec: { names: { plural: 'as', kind: 'A' } } },
    'spec.group: Required value',
  ],
  [
    'apiregistration.k8s.io/v1',
    'APIService',
    { spec: { group: 'b.io', version: 'v1' } },
    'must be `spec.version+"."+spec.group`: "v1.b.io"',
  ],
] as const)('%s %s: %j', (apiVersion, kind, fields, problem) =>
  expect(problemsOf(apiVersion, kind, fields).join('; ')).toContain(problem),
)

test('a valid binding, Ingress and definition', () => {
  const subjects = [
    { kind: 'ServiceAccount', name: 'b', namespace: 'c' },
    { kind: 'Group', name: 'd' },
  ]
  expect(problemsOf('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', { subjects })).toEqual([])
  expect(
    problemsOf('rbac.authorization.k8s.io/v1', 'RoleBinding', { subjects: [{ kind: 'ServiceAccount', name: 'b' }] }),
  ).toEqual([])
  const spec = { rules: [{ host: '*.b.io' }, { host: 'c.b.io' }, {}], tls: [{ hosts: ['c.b.io'], secretName: 's' }] }
  expect(problemsOf('networking.k8s.io/v1', 'Ingress', { spec })).toEqual([])
})
