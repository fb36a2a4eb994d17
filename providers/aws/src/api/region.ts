import { awsErrors } from '../failures/aws-errors.ts'

const METADATA = 'http://169.254.169.254'
const PATIENCE = 2_000

/**
 * Returns the given region. If none is given, returns the region from the instance metadata service.
 *
 * @throws NoRegion if neither is known.
 */
export const findRegion = async (
  given: string,
  env: Readonly<Record<string, string | undefined>>,
  request: typeof fetch = fetch,
): Promise<string> => {
  if (given !== '') return given
  const standard = env['AWS_DEFAULT_REGION'] ?? ''
  if (standard !== '') return standard
  if (env['AWS_EC2_METADATA_DISABLED'] === 'true') throw awsErrors.NoRegion({ setting: 'AWS_REGION' })
  const service = env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? METADATA
  try {
    const token = await request(`${service}/latest/api/token`, {
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
      signal: AbortSignal.timeout(PATIENCE),
    })
    const answer = await request(`${service}/latest/meta-data/placement/region`, {
      headers: { 'x-aws-ec2-metadata-token': await token.text() },
      signal: AbortSignal.timeout(PATIENCE),
    })
    const region = answer.ok ? (await answer.text()).trim() : ''
    if (region !== '') return region
  } catch (error) {
    throw awsErrors.NoRegion({ setting: 'AWS_REGION' }, { cause: error })
  }
  throw awsErrors.NoRegion({ setting: 'AWS_REGION' })
}
