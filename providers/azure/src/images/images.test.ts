import { describe, expect, test } from 'vitest'
import { listImageDefinitions } from './image-definitions.ts'
import { type ImageQuestion, resolvedFamily } from './image-family.ts'
import {
  communityImageId,
  imageGallery,
  isNewerImageVersion,
  parseNodeImageVersion,
  sharedImageId,
} from './image-version.ts'

const ask = (imageFamily: ImageQuestion['imageFamily'], rest: Partial<ImageQuestion> = {}): ImageQuestion => ({
  ...{ imageFamily, fips: false, trustedLaunch: false },
  ...rest,
})

describe('the operating system of a class', () => {
  test.each([
    [ask('Ubuntu'), '1.33.5', 'Ubuntu2204'],
    [ask('Ubuntu'), '1.34.0', 'Ubuntu2404'],
    [ask('Ubuntu'), 'v2.0.0', 'Ubuntu2404'],
    [ask('Ubuntu'), 'soon', 'Ubuntu2204'],
    [ask('Ubuntu', { trustedLaunch: true }), '1.34.0', 'Ubuntu2204'],
    [ask('Ubuntu', { fips: true }), '1.34.0', 'Ubuntu2004'],
    [ask('Ubuntu', { fips: true, trustedLaunch: true }), '1.34.0', 'Ubuntu2204'],
    [ask('Ubuntu2204'), '1.35.0', 'Ubuntu2204'],
    [ask('Ubuntu2404'), '1.30.0', 'Ubuntu2404'],
    [ask('AzureLinux'), '1.31.9', 'AzureLinux'],
    [ask('AzureLinux'), '1.32.0', 'AzureLinux3'],
    [ask('AzureLinux'), '', 'AzureLinux'],
  ] as const)('%j with Kubernetes %s: %s', (question, version, family) => {
    expect(resolvedFamily(question, version)).toBe(family)
  })
})

test('the preferred images come first: generation 2, generation 1, arm64', () => {
  const names = (...[family, rest]: Parameters<typeof listImageDefinitions>) =>
    listImageDefinitions(family, rest).map(({ name }) => name)
  const plain = { fips: false, trustedLaunch: false }
  expect(names('Ubuntu2204', plain)).toEqual(['2204gen2containerd', '2204containerd', '2204gen2arm64containerd'])
  expect(names('AzureLinux3', plain)).toEqual(['V3gen2', 'V3', 'V3gen2arm64'])
  expect(names('Ubuntu2404', { ...plain, trustedLaunch: true })).toEqual(['2404gen2TLcontainerd'])
  expect(names('AzureLinux3', { ...plain, fips: true })).toEqual(['V3gen2fips', 'V3fips', 'V3gen2arm64fips'])
  expect(names('AzureLinux', { ...plain, fips: true })).toEqual(['V2gen2fips', 'V2fips'])
  expect(names('Ubuntu2204', { fips: true, trustedLaunch: true })).toEqual(['2204gen2fipsTLcontainerd'])
  expect(names('Ubuntu2204', { ...plain, fips: true })).toEqual([])
  expect(names('Ubuntu2004', { ...plain, fips: true })).toEqual(['2004gen2fipscontainerd', '2004fipscontainerd'])
  expect(names('Ubuntu2004', plain)).toEqual([])
})

test('an ID contains gallery, definition and version; only an image of a shared gallery has an AKS name', () => {
  const gallery = imageGallery('AzureLinux3')
  const shared = sharedImageId('1', gallery, 'V3gen2', '202601.01.0')
  expect(shared).toBe(
    '/subscriptions/1/resourceGroups/AKS-AzureLinux/providers/Microsoft.Compute/galleries/AKSAzureLinux/images/V3gen2/versions/202601.01.0',
  )
  expect(parseNodeImageVersion(shared)).toBe('AKSAzureLinux-V3gen2-202601.01.0')
  const community = communityImageId(imageGallery('Ubuntu2204'), '2204containerd', '202601.01.0')
  expect(community).toBe(
    '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204containerd/versions/202601.01.0',
  )
  expect(parseNodeImageVersion(community)).toBeUndefined()
})

test.each([
  ['202601.01.0', '202512.31.9', true],
  ['202601.02.0', '202601.10.0', false],
  ['202601.10.0', '202601.2.0', true],
  ['24.01.15', '24.01.15', false],
  ['24.01.15.1', '24.01.15', true],
  ['24.01.15', '24.01.15.1', false],
  ['latest', '1.0.0', false],
  ['1.0.0', 'latest', false],
])('%s is newer than %s: %s', (version, than, isNewer) => {
  expect(isNewerImageVersion(version, than)).toBe(isNewer)
})
