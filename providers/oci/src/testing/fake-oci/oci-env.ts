import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeKey } from './fake-oci.ts'
import { COMPARTMENT, REGION } from './names.ts'

/** The environment in which `kerf` uses a served fake, with a key file that `close` removes. */
export interface OciEnv {
  readonly env: Readonly<Record<string, string>>
  close(): void
}

/** Writes the fake user's key to a file in the community provider's format. Returns the environment that names it, and the fake's URL. */
export const ociEnv = (url: string): OciEnv => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-oci-'))
  const file = join(folder, 'config.yaml')
  const { tenancy, user, fingerprint, privateKey } = fakeKey
  writeFileSync(file, JSON.stringify({ auth: { region: REGION, tenancy, user, fingerprint, key: privateKey } }))
  return {
    env: {
      CLUSTER_NAME: 'demo',
      CLUSTER_ENDPOINT: 'https://10.0.0.10:6443',
      COMPARTMENT_ID: COMPARTMENT,
      OCI_AUTH_METHODS: 'API_KEY',
      CONFIG_YAML_FILENAME: file,
      OCI_ENDPOINT: url,
      USE_LOCAL_PRICE_LIST: 'true',
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
