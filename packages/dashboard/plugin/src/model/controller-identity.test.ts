import { expect, test } from 'vitest'
import { firstResponse, identify } from './controller-identity.ts'

/** Returns a fake metrics port with these responses. It refuses other paths and records the requests. */
const port = (answers: Readonly<Record<string, string>>) => {
  const asked: string[] = []
  const get = async (path: string): Promise<string> => {
    asked.push(path)
    const answer = answers[path]
    if (answer === undefined) throw new Error(`404 ${path}`)
    return answer
  }
  return { get, asked }
}

const buildInfo = (goversion: string): string =>
  `karpenter_cluster_state_synced 1\nkarpenter_build_info{commit="",goversion="${goversion}",version="1"} 1\n`

test('Kerf is identified by its version route, and nothing else is requested', async () => {
  const { get, asked } = port({ '/kerf/v1/version': '{"name":"kerf","version":"1.0.0","routes":[]}' })
  expect(await identify(get)).toBe('kerf')
  expect(asked).toEqual(['/kerf/v1/version'])
})

test.each([
  ['an older Kerf, by its metrics', { '/metrics': buildInfo('node v24.1.0') }, 'kerf'],
  [
    'an older Kerf whose metrics require a token, by its decisions',
    { '/kerf/v1/decisions': '{"decisions":[]}' },
    'kerf',
  ],
  ['upstream’s controller', { '/metrics': buildInfo('go1.24.1') }, 'other'],
  [
    'upstream’s controller behind a proxy that serves a page for every path',
    {
      '/kerf/v1/version': '<html>not found</html>',
      '/metrics': buildInfo('go1.24.1'),
      '/kerf/v1/decisions': '<html>not found</html>',
    },
    'other',
  ],
  ['another program that names a version', { '/kerf/v1/version': '{"name":"other"}' }, 'none'],
  ['a login page', { '/kerf/v1/version': '<html>', '/metrics': '<html>', '/kerf/v1/decisions': '<html>' }, 'none'],
  ['an unreachable port', {}, 'none'],
] as const)('identifies %s', async (_, answers, identity) => {
  expect(await identify(port(answers).get)).toBe(identity)
})

test('a route is requested by its current name first, then by older names', async () => {
  const names = ['/new', '/old'] as const
  const both = port({ '/new': 'n', '/old': 'o' })
  expect(await firstResponse(both.get, names)).toBe('n')
  expect(both.asked).toEqual(['/new'])
  const old = port({ '/old': 'o' })
  expect(await firstResponse(old.get, names)).toBe('o')
  expect(old.asked).toEqual(['/new', '/old'])
  await expect(firstResponse(port({}).get, names)).rejects.toThrow('404 /old')
})
