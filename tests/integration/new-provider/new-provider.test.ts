import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConformanceDriver, checkIds, runCheck } from '@kerf/provider-contract/conformance'
import { afterEach, describe, expect, test } from 'vitest'
import { checkoutAbove, createProvider, nextSteps } from '../../../packages/cli/src/new-provider/create-provider.ts'
import { newProvider } from '../../../packages/cli/src/new-provider/verb.ts'
import { exampleDriver } from '../../../providers/example/src/testing/conformance-driver.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GUIDE = readFileSync(join(ROOT, 'docs/providers.md'), 'utf8')

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Returns a folder with what `kerf new-provider` and the new package need from a checkout. */
const smallCheckout = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'new-provider-'))
  folders.push(root)
  mkdirSync(join(root, 'providers'))
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'))
  writeFileSync(
    join(root, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      include: ['providers'],
      compilerOptions: { incremental: false },
    }),
  )
  cpSync(join(ROOT, 'providers/example'), join(root, 'providers/example'), { recursive: true })
  // These folders are needed because the simulated account imports the fault simulation.
  for (const name of ['node_modules', 'packages', 'tests', 'tools']) symlinkSync(join(ROOT, name), join(root, name))
  return root
}

const driverIn = async (root: string): Promise<ConformanceDriver> => {
  const file = join(root, 'providers/acme/src/testing/conformance-driver.ts')
  const { acmeDriver }: { readonly acmeDriver: ConformanceDriver } = await import(file)
  return acmeDriver
}

/** Returns the checks that the driver runs, and those that failed. */
const outcomeOf = async (driver: ConformanceDriver) => {
  const run = checkIds.filter((id) => driver.notApplicable[id] === undefined)
  const failed: string[] = []
  for (const id of run) await runCheck(driver, id, 1).catch((error: unknown) => failed.push(`${id}: ${String(error)}`))
  return { run, failed }
}

describe('kerf new-provider', () => {
  test('writes a provider that compiles and passes the same checks as the example', async () => {
    const root = smallCheckout()
    createProvider(root, 'acme')
    const { run, failed } = await outcomeOf(await driverIn(root))
    expect(failed).toEqual([])
    expect(run).toEqual(checkIds.filter((id) => exampleDriver.notApplicable[id] === undefined))
    rmSync(join(root, 'providers/example'), { recursive: true })
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', root])
  })

  test('the name has the correct form in each file', () => {
    const root = smallCheckout()
    const files = createProvider(root, 'acme-cloud')
    expect(files).toContain('providers/acme-cloud/src/acme-cloud-provider.ts')
    expect(files).toContain('providers/acme-cloud/README.md')
    const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('')
    expect(text).toContain('class AcmeCloudProvider')
    expect(text).toContain("plural: 'acmecloudnodeclasses'")
    expect(text).toContain('export const acmeCloudDriver')
    expect(text).toContain("name: 'acme-cloud'")
    expect(text).toContain("env: 'ACME_CLOUD_ENDPOINT'")
    // The name `example` is also used by the contract, and in reserved names.
    expect(text).toMatch(/^ +example: \{$/m)
    expect(text).toContain('example.com/mine')
    expect(nextSteps('acme-cloud')).toContain(
      "export { acmeCloudDescriptor } from '@kerf/provider-acme-cloud/descriptor'",
    )
  })

  test.each(['Acme', 'acme_cloud', '-acme', 'acme-', '../acme', '', '1and1', 'a'.repeat(31)])(
    'the name %j is refused with an example of a valid name, and nothing is written',
    (name) => {
      const root = smallCheckout()
      expect(() => createProvider(root, name)).toThrow('such as acme-cloud')
      expect(readdirSync(join(root, 'providers'))).toEqual(['example'])
    },
  )

  test('an existing name and an existing folder are refused', () => {
    const root = smallCheckout()
    expect(() => createProvider(root, 'kit')).toThrow('kit already exists: choose another name')
    createProvider(root, 'acme')
    rmSync(join(root, 'providers/acme/src/descriptor.ts'))
    expect(() => createProvider(root, 'acme')).toThrow('providers/acme exists already: choose another name')
    expect(existsSync(join(root, 'providers/acme/src/descriptor.ts'))).toBe(false)
  })

  test('outside a checkout, the error says where to run it; in a subfolder, it finds the checkout', () => {
    const root = smallCheckout()
    expect(checkoutAbove(join(root, 'providers/example'))).toBe(root)
    rmSync(join(root, 'providers/example'), { recursive: true })
    expect(() => checkoutAbove(root)).toThrow('is not in a checkout of Kerf: clone the repository')
  })

  test('the guide shows the command of the verb', () => {
    expect(GUIDE).toContain(`npm run kerf ${newProvider.name} acme`)
  })
})
