import { expect, test } from 'vitest'
import { buildKustomization, type RunProgram } from './kustomize.ts'

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n'

/** Imitates `execFile`: a missing program fails with the code ENOENT, and a failing program has text on stderr. */
const programs =
  (installed: Readonly<Record<string, string | Error>>, ran: string[] = []): RunProgram =>
  async (command, args) => {
    ran.push([command, ...args].join(' '))
    const result = installed[command]
    if (result === undefined) throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' })
    if (result instanceof Error) throw result
    return result
  }

test('builds with kubectl, or with kustomize if kubectl is not installed', async () => {
  const ran: string[] = []
  const found = await buildKustomization('app', programs({ kustomize: POD }, ran))
  expect(ran).toEqual(['kubectl kustomize app', 'kustomize build app'])
  expect(found).toMatchObject([{ file: 'kustomize build app', object: { metadata: { name: 'a' } } }])
  const first: string[] = []
  await buildKustomization('app', programs({ kubectl: POD, kustomize: POD }, first))
  expect(first).toEqual(['kubectl kustomize app'])
})

test('reports the error of the program, and suggests a remedy if no program is installed', async () => {
  const failed = Object.assign(new Error('exit 1'), { stderr: 'error: unable to find one of kustomization.yaml\n' })
  await expect(buildKustomization('app', programs({ kubectl: failed }))).rejects.toThrow(
    'app: kubectl kustomize: error: unable to find one of kustomization.yaml',
  )
  await expect(buildKustomization('app', programs({}))).rejects.toThrow('neither kubectl nor kustomize is installed')
})
