import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readDockerfile } from '../../../tools/image/dockerfile.ts'
import { imageName, imageReference, stampedWith, VALUES } from '../../../tools/image/image-name.ts'
import { root } from '../../../tools/source-files.ts'
import type { ProviderGuides } from '../guides/guide-runners.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const name = imageName()
const DIGEST = `sha256:${'ab'.repeat(32)}`

/** Returns the registry of the cloud that a guide is for. */
const registryOf = async (guide: string): Promise<string> => {
  const runners = join(root, dirname(guide), '../../tests/guides/runners.ts')
  if (!existsSync(runners)) return 'registry.example.com'
  const { imageRegistry } = (await import(pathToFileURL(runners).href)) as ProviderGuides
  return imageRegistry ?? 'registry.example.com'
}

describe('all files use the same image name', () => {
  test('before a release, the name refers to a registry that cannot exist', () => {
    // RFC 2606 reserves the domain .example, so nobody can register this name.
    expect(name).toEqual({ repository: 'registry.example/kerf/controller', tag: '0.1.0', digest: '' })
  })

  test('in the example and the label of the Dockerfile', () => {
    const text = read('deploy/image/Dockerfile')
    expect(text).toContain(`--tag ${imageReference(name)} .`)
    expect(text).toContain(`org.opencontainers.image.version="${name.tag}"`)
  })

  test('the plugin’s image has the same base as the controller’s', () => {
    const [own, controller] = ['packages/dashboard/plugin/Dockerfile', 'deploy/image/Dockerfile'].map((file) =>
      readDockerfile(read(file)),
    )
    expect(own?.base).toBe(controller?.base)
    expect(own?.user).toBe(controller?.user)
  })

  test('on the pages about installation, wherever they apply the chart or the manifests', () => {
    const install = read('docs/install.md')
    for (const page of [install, read('docs/migrate.md')])
      expect(page).toMatch(
        /helm upgrade --install karpenter deploy\/charts\/karpenter .*\\\n.*controller\.image\.repository="\$IMAGE_REPOSITORY"/,
      )
    expect(install).toContain(`s#${name.repository}#$IMAGE_REPOSITORY#`)
  })

  // A guide that mentions neither the chart nor an image does not install Kerf.
  const guides = globSync('{docs,providers/*/docs}/guides/*.md', { cwd: root }).filter((file) =>
    /\bhelm\b|controller=|\bimage\b/.test(read(file)),
  )
  test('there are guides', () => expect(guides.length).toBeGreaterThan(4))
  test.each(guides)('%s pushes the image before anything runs it, and uses the pushed image', async (file) => {
    const text = read(file)
    const path = name.repository.slice(name.repository.indexOf('/') + 1)
    const registry = await registryOf(file)
    expect(text).toContain(`export IMAGE_REPOSITORY="${registry}/${path}"`)
    expect(text).toContain(`--tag "$IMAGE_REPOSITORY:${name.tag}" --push .`)
    const installs = text.match(/^helm .*upgrade .*charts\/karpenter (?:.*\\\n)*.*$/gm) ?? []
    expect(installs.length).toBeGreaterThan(0)
    for (const command of installs) expect(command).toContain('--set controller.image.repository="$IMAGE_REPOSITORY"')
    const firstUse = Math.min(...installs.map((command) => text.indexOf(command)))
    expect(text.indexOf('--push .')).toBeLessThan(firstUse)
    for (const [, image] of text.matchAll(/set image \S+ controller=(\S+)/g))
      expect(image).toBe(`"$IMAGE_REPOSITORY:${name.tag}"`)
    expect(text).not.toMatch(/[^/]kerf\/controller:/)
  })

  test('the release pushes the tag that the chart uses, and the released files contain its digest', () => {
    const text = read('.github/workflows/release.yml')
    const { jobs, env } = parse(text)
    expect(env.IMAGE).toMatch(/\/controller$/)
    const steps: readonly { readonly with?: { readonly tags?: string } }[] = jobs.image.steps
    const tags = steps.flatMap((step) => step.with?.tags ?? [])
    expect(tags).toEqual([expect.stringMatching(/^\$\{\{ env\.IMAGE \}\}:\$\{\{ env\.VERSION \}\}$/)])
    expect(text).toMatch(/echo "VERSION=\$\{GITHUB_REF_NAME#v\}" >> "\$GITHUB_ENV"/)
    expect(jobs.files.needs).toContain('image')
    expect(text).toContain('npm run release:files -- --out release --image "$IMAGE" --digest "$DIGEST"')
  })
})

test('a released chart differs only in repository and digest, which are those of the pushed image', () => {
  const released = { repository: 'ghcr.io/owner/kerf/controller', digest: DIGEST }
  const values = stampedWith(read(VALUES), name, released)
  const before = parse(read(VALUES))
  const after = parse(values)
  expect(after.controller.image).toEqual({ ...before.controller.image, ...released })
  expect({ ...after, controller: { ...after.controller, image: before.controller.image } }).toEqual(before)
  expect(() => stampedWith(read(VALUES), name, { ...released, digest: 'latest' })).toThrow(/latest is no digest/)
  expect(() => stampedWith('nothing', name, released)).toThrow(/exactly once/)
})
