import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOKEN_PATH } from './fake-gcp/loopback.ts'
import { CLUSTER, PROJECT, REGION } from './fake-gcp/names.ts'

/** The environment of a Kerf process that uses a served fake. */
export interface GcpEnv {
  readonly env: Readonly<Record<string, string>>
  /** Deletes the files. */
  close(): Promise<void>
}

/** Writes a workload identity federation file that points to the served fake, and returns the settings for the fake. */
export const gcpEnv = async (endpoint: string): Promise<GcpEnv> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-gcp-'))
  const [subject, file] = [join(folder, 'subject'), join(folder, 'credentials.json')]
  await writeFile(subject, 'token of the Kubernetes service account')
  const audience =
    '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/demo.svc.id.goog/providers/demo'
  const credentials = {
    ...{ type: 'external_account', audience, subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' },
    ...{ token_url: `${endpoint}${TOKEN_PATH}`, credential_source: { file: subject } },
  }
  await writeFile(file, JSON.stringify(credentials))
  return {
    env: {
      ...{ PROJECT_ID: PROJECT, CLUSTER_NAME: CLUSTER, CLUSTER_LOCATION: REGION },
      ...{ GCP_ENDPOINT_URL: endpoint, GOOGLE_APPLICATION_CREDENTIALS: file },
    },
    close: () => rm(folder, { recursive: true }),
  }
}
