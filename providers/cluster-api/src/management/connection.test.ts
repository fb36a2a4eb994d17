import { parseSettings } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { clusterApiSettings } from '../settings.ts'
import { chosenAddress, chosenCluster } from './connection.ts'

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const URL = 'https://10.0.0.1:6443/'

const settingsOf = (env: Readonly<Record<string, string>>) => parseSettings(clusterApiSettings, env).settings

test('without settings it is the cluster that Kerf manages', () => {
  expect(chosenAddress(settingsOf({}))).toEqual({ address: { kind: 'same' }, unused: [] })
})

test('the URL with its other settings', async () => {
  const { address } = chosenAddress(
    settingsOf({ CLUSTER_API_URL: URL, CLUSTER_API_TOKEN: 'secret', CLUSTER_API_CERTIFICATE_AUTHORITY_DATA: PEM }),
  )
  if (address.kind !== 'url') throw new Error(address.kind)
  expect(address.connection).toMatchObject({
    server: 'https://10.0.0.1:6443',
    tls: { ca: PEM },
    origin: 'CLUSTER_API_URL',
  })
  expect(await address.connection.credentials.current()).toEqual({ authorization: 'Bearer secret' })
  const unverified = chosenAddress(settingsOf({ CLUSTER_API_URL: URL, CLUSTER_API_SKIP_TLS_VERIFY: 'true' }))
  expect(unverified.address).toMatchObject({ connection: { tls: { insecure: true } } })
})

test('the kubeconfig overrides the URL, as in upstream, and unused settings are named', () => {
  const env = {
    CLUSTER_API_KUBECONFIG: '/k',
    CLUSTER_API_URL: URL,
    CLUSTER_API_TOKEN: 'a',
    CLUSTER_API_SKIP_TLS_VERIFY: 'true',
  }
  expect(chosenAddress(settingsOf(env))).toEqual({
    address: { kind: 'kubeconfig', file: '/k' },
    unused: ['CLUSTER_API_URL', 'CLUSTER_API_TOKEN', 'CLUSTER_API_SKIP_TLS_VERIFY'],
  })
})

test.each([
  [{ CLUSTER_API_TOKEN: 'a' }, 'CLUSTER_API_TOKEN is set without CLUSTER_API_URL'],
  [
    { CLUSTER_API_CERTIFICATE_AUTHORITY_DATA: PEM },
    'CLUSTER_API_CERTIFICATE_AUTHORITY_DATA is set without CLUSTER_API_URL',
  ],
  [{ CLUSTER_API_SKIP_TLS_VERIFY: 'true' }, 'CLUSTER_API_SKIP_TLS_VERIFY is set without CLUSTER_API_URL'],
  [{ CLUSTER_API_URL: '10.0.0.1' }, 'CLUSTER_API_URL: "10.0.0.1" is not a URL'],
  [{ CLUSTER_API_URL: 'ftp://a' }, 'CLUSTER_API_URL: "ftp://a" is not a URL'],
  [{ CLUSTER_API_URL: 'http://a', CLUSTER_API_TOKEN: 'secret' }, 'unencrypted'],
  [{ CLUSTER_API_URL: URL, CLUSTER_API_CERTIFICATE_AUTHORITY_DATA: 'TUlJQg==' }, 'not encoded in base64'],
  [
    { CLUSTER_API_URL: URL, CLUSTER_API_CERTIFICATE_AUTHORITY_DATA: PEM, CLUSTER_API_SKIP_TLS_VERIFY: 'true' },
    'contradict each other',
  ],
])('%j is rejected', (env, problem) => {
  expect(() => chosenAddress(settingsOf(env))).toThrow(problem)
})

test('all problems are reported together, and no token is shown', () => {
  const env = { CLUSTER_API_TOKEN: 'secret', CLUSTER_API_SKIP_TLS_VERIFY: 'true' }
  expect(() => chosenAddress(settingsOf(env))).toThrow(/CLUSTER_API_TOKEN.*CLUSTER_API_SKIP_TLS_VERIFY/)
  expect(() => chosenAddress(settingsOf(env))).not.toThrow('secret')
})

test('our own Cluster is set by namespace and name', () => {
  expect(chosenCluster(settingsOf({}))).toBeUndefined()
  expect(chosenCluster(settingsOf({ CLUSTER_API_CLUSTER: 'a/b' }))).toEqual({ namespace: 'a', name: 'b' })
  for (const text of ['a', '/b', 'a/', 'a/b/c'])
    expect(() => chosenCluster(settingsOf({ CLUSTER_API_CLUSTER: text }))).toThrow(`"${text}" must have the form`)
})
