import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { issueCertificate } from '../testing/certificates.ts'
import { trustedAuthorities } from './trusted-authorities.ts'

const folder = mkdtempSync(join(tmpdir(), 'kerf-authorities-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [one, two] = [issueCertificate('one').cert.trim(), issueCertificate('two').cert.trim()]
writeFileSync(join(folder, 'ca.crt'), `# a comment\n${one}\n${rootCertificates[0]}\n`)
mkdirSync(join(folder, 'certs'))
writeFileSync(join(folder, 'certs', 'two.pem'), `${two}\n${one}\n`)
writeFileSync(join(folder, 'certs', 'broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')

test('SSL_CERT_FILE and SSL_CERT_DIR replace the files of the system; duplicates and broken certificates are left out', () => {
  const found = trustedAuthorities(
    { SSL_CERT_FILE: join(folder, 'ca.crt'), SSL_CERT_DIR: join(folder, 'certs') },
    'linux',
  )
  expect(found.slice(-2)).toEqual([one, two])
  expect(found.length).toBe(new Set(found).size)
  expect(found).toEqual(expect.arrayContaining([...rootCertificates.slice(0, 3)]))
})

test.each(['darwin', 'win32'] as const)(
  'on %s, the certificate store of the system is used instead of files',
  (platform) => expect(trustedAuthorities({ SSL_CERT_FILE: join(folder, 'ca.crt') }, platform)).not.toContain(one),
)

test('only Node’s certificates are used if the files do not exist', () => {
  const found = trustedAuthorities({ SSL_CERT_FILE: join(folder, 'no'), SSL_CERT_DIR: join(folder, 'no') }, 'linux')
  expect(found.length).toBeGreaterThan(100)
  expect(found).not.toContain(one)
})
