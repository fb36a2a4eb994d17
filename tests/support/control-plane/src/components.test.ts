import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildMissing, componentNames, expectedPath, findComponents, kubernetesMinors } from './components.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kerf-components-'))
  vi.stubEnv('KERF_CACHE_DIR', join(directory, 'cache'))
  vi.stubEnv('KUBEBUILDER_ASSETS', undefined)
  vi.stubEnv('KERF_TEST_KUBERNETES', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true, force: true })
})

const assets = (names: readonly string[]): string => {
  const folder = join(directory, 'assets')
  mkdirSync(folder, { recursive: true })
  for (const name of names) writeFileSync(join(folder, name), '')
  return folder
}

test('with an empty cache, every program is missing', () => {
  expect(findComponents()).toEqual({ missing: componentNames })
})

test('KUBEBUILDER_ASSETS takes precedence over the cache', () => {
  const folder = assets(componentNames)
  vi.stubEnv('KUBEBUILDER_ASSETS', folder)
  expect(findComponents()).toMatchObject({ etcd: join(folder, 'etcd'), kubectl: join(folder, 'kubectl') })
})

test('programs that are missing in KUBEBUILDER_ASSETS come from the cache', () => {
  vi.stubEnv('KUBEBUILDER_ASSETS', assets(['etcd', 'kube-apiserver', 'kubectl']))
  expect(findComponents()).toEqual({ missing: ['kube-scheduler', 'kube-controller-manager'] })
})

test('without Go nothing is built, and the error states how to continue', async () => {
  vi.stubEnv('PATH', directory)
  const lines: string[] = []
  await expect(buildMissing((line) => lines.push(line))).rejects.toThrow(
    /needs etcd, kube-apiserver, .*: install Go \(go\.dev\/dl\) to build them, or set KUBEBUILDER_ASSETS/,
  )
  expect(lines).toEqual([])
})

test('KERF_TEST_KUBERNETES selects a minor version, which has its own programs and the same etcd', () => {
  const mains = componentNames.map((name) => expectedPath(name))
  for (const minor of kubernetesMinors().slice(1)) {
    vi.stubEnv('KERF_TEST_KUBERNETES', minor)
    const older = componentNames.map((name) => expectedPath(name))
    expect(older.filter((path) => mains.includes(path))).toEqual([mains[componentNames.indexOf('etcd')]])
  }
  vi.stubEnv('KERF_TEST_KUBERNETES', '1.2')
  expect(() => findComponents()).toThrow(
    /KERF_TEST_KUBERNETES is 1\.2; Kerf is tested on Kubernetes 1\.36, 1\.35, 1\.34/,
  )
})
