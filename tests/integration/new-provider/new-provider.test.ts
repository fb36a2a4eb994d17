import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckId, type ConformanceDriver, checkIds, runCheck } from '@kerf/provider-contract/conformance'
import { afterEach, describe, expect, test } from 'vitest'
import { checkoutAbove, createProvider, nextSteps } from '../../../packages/cli/src/new-provider/create-provider.ts'
import { newProvider } from '../../../packages/cli/src/new-provider/verb.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GUIDE = readFileSync(join(ROOT, 'docs/providers.md'), 'utf8')
/** The limit that the guide states. */
const MOST_LINES = 600

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Returns a folder with the parts of a checkout that `kerf new-provider` and the new package need. */
const smallCheckout = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'new-provider-'))
  folders.push(root)
  mkdirSync(join(root, 'providers'))
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'))
  cpSync(join(ROOT, 'tsconfig.json'), join(root, 'tsconfig.json'))
  cpSync(join(ROOT, 'providers/skeleton'), join(root, 'providers/skeleton'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

const driverIn = async (root: string): Promise<ConformanceDriver> => {
  const file = join(root, 'providers/acme/src/testing/conformance-driver.ts')
  const { acmeDriver }: { readonly acmeDriver: ConformanceDriver } = await import(file)
  return acmeDriver
}

/** Returns the checks that the driver runs, and the failed ones. */
const outcomeOf = async (driver: ConformanceDriver) => {
  const run = checkIds.filter((id) => driver.notApplicable[id] === undefined)
  const failed: string[] = []
  for (const id of run) await runCheck(driver, id, 1).catch((error: unknown) => failed.push(`${id}: ${String(error)}`))
  return { run, failed }
}

const followGuide = (root: string): number => {
  const diffs = [...GUIDE.matchAll(/```diff\n(.*?)```/gs)].map(([, diff = '']) => diff)
  for (const input of diffs) execFileSync('git', ['apply', '-'], { cwd: root, input })
  return diffs.length
}

const linesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
    .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name), 'utf8').split('\n').length - 1, 0)

describe('kerf new-provider', () => {
  test('writes a provider that passes the checks in the guide', async () => {
    const root = smallCheckout()
    createProvider(root, 'acme')
    const driver = await driverIn(root)
    const { run, failed } = await outcomeOf(driver)
    expect(failed).toEqual([])
    const [, list = ''] = /that apply to the example:\n\n(.*?)\n\n/s.exec(GUIDE) ?? []
    expect(run.toSorted()).toEqual([...list.matchAll(/[A-Z]\d\d/g)].map(([id]) => id as CheckId).toSorted())
    expect(GUIDE).toContain(`runs ${run.length} checks`)
  })

  test('the guide extends it to a provider that launches', async () => {
    const root = smallCheckout()
    createProvider(root, 'acme')
    expect(followGuide(root)).toBe(5)
    const { run, failed } = await outcomeOf(await driverIn(root))
    expect(failed).toEqual([])
    expect(run).toContain('C01')
    expect(GUIDE).toContain(`With that, ${run.length} checks pass`)
    expect(linesOf(join(root, 'providers/acme'))).toBeLessThan(MOST_LINES)
    rmSync(join(root, 'providers/skeleton'), { recursive: true })
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', root])
  })

  test('the name has the right form in each place', () => {
    const root = smallCheckout()
    const files = createProvider(root, 'acme-cloud')
    expect(files).toContain('providers/acme-cloud/src/acme-cloud-provider.ts')
    const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('')
    expect(text).toContain('class AcmeCloudProvider')
    expect(text).toContain("plural: 'acmecloudnodeclasses'")
    expect(text).toContain('export const acmeCloudDriver')
    expect(text).toContain("name: 'acme-cloud'")
    expect(nextSteps('acme-cloud')).toContain(
      "import { acmeCloudDescriptor } from '@kerf/provider-acme-cloud/descriptor'",
    )
  })

  test.each(['Acme', 'acme_cloud', '-acme', 'acme-', '../acme', '', '1and1', 'a'.repeat(31)])(
    'the name %j is refused with an example of a good one, and nothing is written',
    (name) => {
      const root = smallCheckout()
      expect(() => createProvider(root, name)).toThrow('such as acme-cloud')
      expect(readdirSync(join(root, 'providers'))).toEqual(['skeleton'])
    },
  )

  test('an existing name and an existing folder are refused', () => {
    const root = smallCheckout()
    expect(() => createProvider(root, 'kit')).toThrow('kit is taken: choose another name')
    createProvider(root, 'acme')
    rmSync(join(root, 'providers/acme/src/descriptor.ts'))
    expect(() => createProvider(root, 'acme')).toThrow('providers/acme exists already: choose another name')
    expect(existsSync(join(root, 'providers/acme/src/descriptor.ts'))).toBe(false)
  })

  test('outside a checkout it says where to run it, and in a subfolder it finds the checkout', () => {
    const root = smallCheckout()
    expect(checkoutAbove(join(root, 'providers/skeleton'))).toBe(root)
    rmSync(join(root, 'providers/skeleton'), { recursive: true })
    expect(() => checkoutAbove(root)).toThrow('is not in a checkout of Kerf: clone the repository')
  })

  test('the guide shows the command of the verb', () => {
    expect(GUIDE).toContain(`npm run kerf ${newProvider.name} acme`)
  })
})
