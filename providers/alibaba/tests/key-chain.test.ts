import { afterAll, expect, test } from 'vitest'
import { keyChain } from '../src/api/sdk.ts'

const NAMES = [
  ...['ALIBABA_CLOUD_ACCESS_KEY_ID', 'ALIBABA_CLOUD_ACCESS_KEY_SECRET', 'ALIBABA_CLOUD_SECURITY_TOKEN'],
  ...['ALIBABA_CLOUD_ECS_METADATA_DISABLED', 'HOME'],
] as const
const before = NAMES.map((name) => [name, process.env[name]] as const)

const set = (name: (typeof NAMES)[number], value: string | undefined): void => {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

afterAll(() => {
  for (const [name, value] of before) set(name, value)
})

test('keys come from the vendor’s chain: new ones count at once, and a failed source is asked again', async () => {
  // Use neither the metadata service of an instance nor the files of the user.
  set('ALIBABA_CLOUD_ECS_METADATA_DISABLED', 'true')
  set('HOME', '/nonexistent')
  set('ALIBABA_CLOUD_ACCESS_KEY_ID', undefined)
  set('ALIBABA_CLOUD_SECURITY_TOKEN', undefined)
  const keys = await keyChain()
  await expect(keys()).rejects.toThrow('unable to get credentials from any of the providers in the chain')
  set('ALIBABA_CLOUD_ACCESS_KEY_ID', 'first')
  set('ALIBABA_CLOUD_ACCESS_KEY_SECRET', 'secret')
  expect(await keys()).toMatchObject({ accessKeyId: 'first', accessKeySecret: 'secret' })
  set('ALIBABA_CLOUD_ACCESS_KEY_ID', 'second')
  set('ALIBABA_CLOUD_SECURITY_TOKEN', 'token')
  expect(await keys()).toMatchObject({ accessKeyId: 'second', securityToken: 'token' })
})
