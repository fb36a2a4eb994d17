import type { NodeClaim } from '@kerf/apis'
import { node, nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { approvalFor } from './approval.ts'
import { parseCertificateRequest } from './certificate-request.ts'
import { type CertificateSigningRequest, CLIENT_SIGNER, SERVING_SIGNER } from './signing-request.ts'

const pem = (...lines: readonly string[]): string =>
  ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----'].join('\n')

// The request was made with openssl for the subject /O=system:nodes/CN=system:node:karpenter-a.
const CLIENT = pem(
  'MIH0MIGbAgEAMDkxFTATBgNVBAoMDHN5c3RlbTpub2RlczEgMB4GA1UEAwwXc3lz',
  'dGVtOm5vZGU6a2FycGVudGVyLWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATx',
  'N4CVPFYfp8oEDnrQatzuTXDjHq/jWvr4+SaT+45tgv7LQ6oiy4aXILn8JjY6nUeo',
  'B0ktITOSF03sm2v7sJrYoAAwCgYIKoZIzj0EAwIDSAAwRQIhALzM0oQD07UaPUPt',
  'wcS1HpvCpNPkz2V2uxSBhUnzeyI/AiAvHwFbUPy12DOISN+kxZkf7o4+n4jTr987',
  '9QIedpBeLg==',
)
/** A certificate request with the names DNS:karpenter-a, IP:10.0.0.7 and IP:fd00::1. */
const SERVING = pem(
  'MIIBNTCB3AIBADA5MRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxIDAeBgNVBAMMF3N5',
  'c3RlbTpub2RlOmthcnBlbnRlci1hMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
  '8TeAlTxWH6fKBA560Grc7k1w4x6v41r6+Pkmk/uObYL+y0OqIsuGlyC5/CY2Op1H',
  'qAdJLSEzkhdN7Jtr+7Ca2KBBMD8GCSqGSIb3DQEJDjEyMDAwLgYDVR0RBCcwJYIL',
  'a2FycGVudGVyLWGHBAoAAAeHEP0AAAAAAAAAAAAAAAAAAAEwCgYIKoZIzj0EAwID',
  'SAAwRQIgDkqnLhnYcD7gvF8PMbccal8SvsmZK30bC0VyIewSVS4CIQDvPWFtYvEQ',
  'MJv3ZXTOf/ES1LqnzCuAHOavrbVEI9MRbQ==',
)
/** A certificate request with the name URI:spiffe://a. */
const OTHER_NAME = pem(
  'MIIBHDCBwwIBADA5MRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxIDAeBgNVBAMMF3N5',
  'c3RlbTpub2RlOmthcnBlbnRlci1hMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
  '8TeAlTxWH6fKBA560Grc7k1w4x6v41r6+Pkmk/uObYL+y0OqIsuGlyC5/CY2Op1H',
  'qAdJLSEzkhdN7Jtr+7Ca2KAoMCYGCSqGSIb3DQEJDjEZMBcwFQYDVR0RBA4wDIYK',
  'c3BpZmZlOi8vYTAKBggqhkjOPQQDAgNIADBFAiEApa/cLM9y3TRmF8xNvkK7fZV9',
  'yXG4HyAr6nTTnLB9Jz4CIE+fmrQj/RfiA4KZ17eeLnxCecw2N3Xnvvpn3MJlEiYC',
)

const NODE_USER = 'system:node:karpenter-a'
const addresses = [
  { type: 'InternalIP', address: '10.0.0.7' },
  { type: 'InternalIP', address: 'fd00::1' },
]
const registered = node('karpenter-a', { status: { addresses } })

const signing = (
  request: string,
  spec: Partial<CertificateSigningRequest['spec']> = {},
): CertificateSigningRequest => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'csr-1' },
  spec: {
    request: Buffer.from(request).toString('base64'),
    signerName: CLIENT_SIGNER,
    usages: ['digital signature', 'client auth'],
    username: 'kubelet',
    ...spec,
  },
})
const serving = (request: string, spec: Partial<CertificateSigningRequest['spec']> = {}) =>
  signing(request, {
    signerName: SERVING_SIGNER,
    usages: ['digital signature', 'server auth'],
    username: NODE_USER,
    ...spec,
  })

const launched: NodeClaim = nodeClaim('a')
const first = { claim: launched, node: undefined }

test('the subject and the names of a request are read; other text and other kinds of names are not', () => {
  const organizations = ['system:nodes']
  expect(parseCertificateRequest(CLIENT)).toEqual({
    ...{ commonName: NODE_USER, organizations, dnsNames: [], ipAddresses: [] },
  })
  expect(parseCertificateRequest(SERVING)).toEqual({
    ...{ commonName: NODE_USER, organizations, dnsNames: ['karpenter-a'], ipAddresses: ['10.0.0.7', 'fd00::1'] },
  })
  for (const text of ['', 'nonsense', OTHER_NAME, CLIENT.slice(0, 120), pem('AAAA'), pem('MIH0MIGb')])
    expect(parseCertificateRequest(text)).toBeUndefined()
})

test('the first client certificate of a launched instance is approved, and a renewal by the node itself', () => {
  expect(approvalFor(signing(CLIENT), first)).toBe('approve')
  expect(approvalFor(signing(CLIENT, { username: NODE_USER }), { claim: launched, node: registered })).toBe('approve')
})

test.each([
  ['a request without a NodeClaim', signing(CLIENT), { claim: undefined, node: undefined }],
  ['the claim of another instance', signing(CLIENT), { claim: nodeClaim('b'), node: undefined }],
  [
    'a claim that is being deleted',
    signing(CLIENT),
    { claim: nodeClaim('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), node: undefined },
  ],
  ['a node that has registered', signing(CLIENT), { claim: launched, node: registered }],
  ['a pod that asks', signing(CLIENT, { username: 'system:serviceaccount:web:default' }), first],
  ['another node that asks', signing(CLIENT, { username: 'system:node:karpenter-b' }), first],
  ['another signer', signing(CLIENT, { signerName: 'kubernetes.io/kube-apiserver-client' }), first],
  ['another usage', signing(CLIENT, { usages: ['client auth', 'server auth'] }), first],
  ['a client certificate with names', signing(SERVING), first],
  [
    'a serving certificate that somebody else asks for',
    serving(SERVING, { username: 'kubelet' }),
    { claim: launched, node: registered },
  ],
  [
    'a serving certificate with an address of another node',
    serving(SERVING),
    {
      claim: launched,
      node: node('karpenter-a', { status: { addresses: [{ type: 'InternalIP', address: '10.0.0.8' }] } }),
    },
  ],
])('not approved: %s', (_, request, of) => {
  expect(approvalFor(request, of)).toBe('ignore')
})

test('a serving certificate waits for the addresses of its node', () => {
  expect(approvalFor(serving(SERVING), { claim: launched, node: node('karpenter-a') })).toBe('wait')
  expect(approvalFor(serving(SERVING), { claim: launched, node: registered })).toBe('approve')
})
