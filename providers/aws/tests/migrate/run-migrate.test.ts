import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type KubeObject, nodePoolResource, resourceAdmission } from '@kerf/apis'
import { ec2NodeClassResource } from '@kerf/provider-aws/node-class'
import { UsageError } from '@kerf/provider-kit/command-line'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { ValidationMode } from '../../../../packages/cli/src/manifests/validation-option.ts'
import { runMigrate } from '../../../../packages/cli/src/migrate/run-migrate.ts'

const guides = fileURLToPath(new URL('../../../../examples/older-guides', import.meta.url))

const accepted = (object: KubeObject) =>
  resourceAdmission<KubeObject>(object.kind === 'NodePool' ? nodePoolResource : ec2NodeClassResource).create(object)

const run = async (
  paths: readonly string[],
  output: 'yaml' | 'json' = 'yaml',
  kubernetes?: string,
  validate: ValidationMode = 'warn',
) => {
  let out = ''
  let err = ''
  const code = await runMigrate(
    paths,
    { output, validate, ...(kubernetes === undefined ? {} : { kubernetes }) },
    { stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) } },
  )
  return { code, out, err }
}

test('converts the files of the older guides without problems', async () => {
  const { code, out, err } = await run([guides])
  expect(code).toBe(0)
  const objects = parseAllDocuments(out).map((document) => document.toJS() as KubeObject)
  expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    'karpenter.k8s.aws/v1 EC2NodeClass',
    'karpenter.sh/v1 NodePool',
  ])
  for (const object of objects) expect(accepted(object)).toMatchObject({ accepted: true, unknownFields: [] })
  expect(out).toContain('#   CLUSTER_NAME=your-cluster-name\n')
  expect(err).toContain('Left as they are: Deployment/nginx')
  expect(err).toMatch(
    /Provisioner\/default +spec\.limits\.resources\.cpu +renamed +NodePool\/default spec\.limits\.cpu/,
  )
  const data = JSON.parse((await run([guides], 'json')).out)
  expect(data.objects).toEqual(objects)
  expect(data.settings).toEqual({
    CLUSTER_NAME: 'your-cluster-name',
    CLUSTER_ENDPOINT: 'your-cluster-endpoint',
    AWS_REGION: 'your-region',
  })
})

test('--kubernetes chooses the image family for a template without one', async () => {
  for (const [version, alias] of [
    [undefined, 'al2@latest'],
    ['1.32', 'al2@latest'],
    ['v1.33.2-eks-1', 'al2023@latest'],
  ] as const) {
    const { objects } = JSON.parse((await run([guides], 'json', version)).out)
    expect(objects[0].spec.amiSelectorTerms).toEqual([{ alias }])
  }
})

test('converts annotations of workloads, also inside lists', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-migrate-'))
  try {
    const file = join(folder, 'list.yaml')
    writeFileSync(
      file,
      `apiVersion: v1
kind: List
items:
- apiVersion: batch/v1
  kind: CronJob
  metadata: {name: nightly, namespace: shop}
  spec:
    schedule: "0 2 * * *"
    jobTemplate:
      spec:
        template:
          metadata: {annotations: {karpenter.sh/do-not-evict: "true"}}
          spec: {nodeSelector: {karpenter.sh/provisioner-name: batch}, restartPolicy: Never, containers: [{name: a, image: b}]}
- {apiVersion: v1, kind: Service, metadata: {name: untouched}, spec: {}}
`,
    )
    const { code, out, err } = await run([file])
    expect(code).toBe(0)
    expect(parse(out)).toMatchObject({
      kind: 'CronJob',
      spec: {
        jobTemplate: {
          spec: {
            template: {
              metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
              spec: { nodeSelector: { 'karpenter.sh/nodepool': 'batch' } },
            },
          },
        },
      },
    })
    expect(err).toContain('Left as they are: Service/untouched')
    expect((await run([file, guides])).out.match(/^kind: /gm)).toHaveLength(3)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('reports open decisions of objects that use no old API', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'class.yaml')
  writeFileSync(file, '{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: bare}, spec: {}}\n')
  const { code, out, err } = await run([file])
  expect({ code, out }).toEqual({ code: 3, out: '' })
  expect(err).toContain('To decide:\n  EC2NodeClass/bare: has neither role nor instanceProfile')
})

test('refuses files without anything to convert, and missing files', async () => {
  await expect(run([`${guides}/nginx.yaml`])).rejects.toThrow(/no objects of Karpenter's old API/)
  await expect(run(['no-such-file.yaml'])).rejects.toThrow(UsageError)
})

test('checks the written objects like kerf plan, and reads modes as octal like kubectl', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'web.yaml')
  const workload = (mode: string): string =>
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}, annotations: {karpenter.sh/do-not-evict: yes}}, spec: {automountServiceAccountToken: no, containers: [{name: c, image: i}], volumes: [{name: key, secret: {secretName: key, defaultMode: ${mode}}}]}}}}`
  writeFileSync(file, workload('0400').replace(': yes', ': "yes"'))
  const right = await run([file])
  expect(right.code).toBe(0)
  expect(parse(right.out).spec.template.spec).toMatchObject({
    automountServiceAccountToken: false,
    volumes: [{ secret: { defaultMode: 256 } }],
  })
  writeFileSync(file, workload('755'))
  const { code, err } = await run([file])
  expect(code).toBe(3)
  expect(err).toContain(
    'Deployment/web: spec.template.metadata.annotations.karpenter.sh/do-not-disrupt: is of type bool',
  )
  writeFileSync(file, workload('755').replace(': yes', ': "yes"'))
  expect((await run([file])).err).toContain(
    'To decide:\n  Deployment/web: spec.template.spec.volumes[0].secret.defaultMode: Invalid value: 755: must be a number between 0 and 0777',
  )
})

test('--validate checks unchanged objects, but not objects of the old API', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'typo.yaml')
  writeFileSync(file, '{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {port: 1}}\n')
  const unknown = 'Service a: spec.port: unknown field, did you mean ports?'
  expect((await run([guides, file])).err).toContain(`warning: ${file}:1: ${unknown}`)
  expect((await run([guides, file], 'yaml', undefined, 'ignore')).err).not.toContain(unknown)
  await expect(run([guides, file], 'yaml', undefined, 'strict')).rejects.toThrow(unknown)
  expect((await run([guides], 'yaml', undefined, 'strict')).code).toBe(0)
})

test('reports once what an API server would refuse in a node class', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'class.yaml')
  writeFileSync(
    file,
    '{apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, metadata: {name: a}, spec: {role: r, amiFamily: AL2023, associatePublicIPAddress: maybe}}\n',
  )
  const { problems } = JSON.parse((await run([file], 'json')).out)
  const messages: readonly string[] = problems.map(({ message }: { message: string }) => message)
  expect(messages.filter((message) => message.includes('associatePublicIPAddress'))).toHaveLength(1)
})
