import { credential } from '../emulator-call.ts'

/**
 * Tells the emulated ECR that an image was pushed, which the registry interface does on AWS. As on AWS, ECR then lists the image, or
 * refuses it if the repository is missing or an immutable tag has another image. In the second case, docker prints ECR's `TAG_INVALID` in
 * these words (moby/buildkit issue 3776). ECR's API calls the error ImageTagAlreadyExistsException, and the emulator
 * ImageAlreadyExistsException.
 * @throws Error with ECR's refusal
 */
export const putImage = async (repository: string, tag: string, manifest: string): Promise<void> => {
  const answer = await fetch(process.env['AWS_ENDPOINT_URL'] ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AmazonEC2ContainerRegistry_V20150921.PutImage',
      authorization: credential('ecr'),
    },
    body: JSON.stringify({ repositoryName: repository, imageTag: tag, imageManifest: manifest }),
  })
  if (answer.ok) return
  const why = await answer.text()
  if (/Image(Tag)?AlreadyExistsException/.test(why))
    throw new Error(
      `tag invalid: The image tag '${tag}' already exists in the '${repository}' repository and cannot be overwritten because the tag is immutable.`,
    )
  throw new Error(`${repository}:${tag}: ${answer.status} ${why}`)
}
