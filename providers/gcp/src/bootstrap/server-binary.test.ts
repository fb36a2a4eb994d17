import { expect, test } from 'vitest'
import { otherBinaries } from './server-binary.ts'

const source = (url: string) => new Map([['SERVER_BINARY_TAR_URL', url]])
const AMD =
  'https://storage.googleapis.com/gke-release/kubernetes/release/v1.35.1-gke.5/kubernetes-server-linux-amd64.tar.gz'
const HASH =
  'https://storage.googleapis.com/gke-release/kubernetes/release/v1.35.1-gke.5/kubernetes-server-linux-arm64.tar.gz.sha512'

test('binaries for another architecture have their own URL and hash', () => {
  expect(otherBinaries(source(`${AMD},${AMD}`), 'arm64', 'v1.34.0')).toEqual({
    url: `${AMD},${AMD}`.replaceAll('amd64', 'arm64'),
    hashUrl: HASH,
  })
})

test('without a release in the URL, the version of the API server is used', () => {
  const url = 'https://mirror.example.com/kubernetes-server-linux-arm64.tar.gz'
  expect(otherBinaries(source(url), 'amd64', 'v1.34.0')?.hashUrl).toBe(
    'https://storage.googleapis.com/gke-release/kubernetes/release/v1.34.0/kubernetes-server-linux-amd64.tar.gz.sha512',
  )
})

test('nothing changes for the same architecture, or for a source without binaries', () => {
  expect(otherBinaries(source(AMD), 'amd64', 'v1.34.0')).toBeUndefined()
  expect(otherBinaries(source('https://example.com/other'), 'arm64', 'v1.34.0')).toBeUndefined()
  expect(otherBinaries(new Map(), 'arm64', 'v1.34.0')).toBeUndefined()
})
