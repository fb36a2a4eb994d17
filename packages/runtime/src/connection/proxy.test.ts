import { describe, expect, test } from 'vitest'
import { proxyFor } from './proxy.ts'

describe('a proxy', () => {
  const env = {
    HTTPS_PROXY: 'http://proxy:3128',
    NO_PROXY: 'internal.example,.corp, 10.0.0.0/8,fd00::/8,192.0.2.1:6443',
  }
  test.each([
    ['https://api.example:6443', 'http://proxy:3128'],
    ['https://internal.example', undefined],
    ['https://a.internal.example', undefined],
    ['https://notinternal.example', 'http://proxy:3128'],
    ['https://x.corp:6443', undefined],
    ['https://10.1.2.3:6443', undefined],
    ['https://11.1.2.3:6443', 'http://proxy:3128'],
    ['https://[fd00::1]:6443', undefined],
    ['https://192.0.2.1:6443', undefined],
    ['https://192.0.2.1:443', 'http://proxy:3128'],
    ['https://127.0.0.1:6443', undefined],
    ['http://api.example', undefined],
  ])('for %s is %s', (server, expected) => {
    expect(proxyFor(server, env)).toBe(expected)
  })

  // These cases come from the documentation of Go's httpproxy: ports, brackets, subdomains and similar names.
  test.each([
    ['foo.example', 'https://foo.example', true],
    ['foo.example', 'https://a.b.foo.example', true],
    ['foo.example', 'https://barfoo.example', false],
    ['.foo.example', 'https://foo.example', false],
    ['.foo.example', 'https://a.foo.example', true],
    ['*.foo.example', 'https://foo.example', false],
    ['*.foo.example', 'https://a.foo.example', true],
    ['FOO.Example', 'https://Foo.example', true],
    ['foo.example:8443', 'https://foo.example:8443', true],
    ['foo.example:8443', 'https://foo.example', false],
    ['foo.example:443', 'https://foo.example', true],
    ['.foo.example:443', 'https://a.foo.example', true],
    ['192.0.2.0/24', 'https://192.0.2.9', true],
    ['192.0.2.0/24', 'https://192.0.3.9', false],
    ['192.0.2.0/99', 'https://192.0.2.9', false],
    ['192.0.2.1', 'https://192.0.2.1:8443', true],
    ['192.0.2.1', 'https://192.0.2.11', false],
    ['2001:db8::1', 'https://[2001:db8:0::1]', true],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443', true],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]', false],
    ['[2001:db8::1]', 'https://[2001:db8::1]', true],
    ['2001:db8::/32', 'https://[2001:db8::1]', true],
    ['::ffff:0:0/96', 'https://192.0.2.1', false],
    [' , :443,', 'https://foo.example', false],
    ['a.example, *', 'https://foo.example', true],
    ['', 'https://127.8.8.8', true],
    ['', 'https://localhost:6443', true],
    ['', 'https://[::1]:6443', true],
    ['', 'https://127.foo.example', false],
  ])('with NO_PROXY=%s, %s is reached directly: %s', (exceptions, server, isDirect) => {
    const proxied = proxyFor(server, { HTTPS_PROXY: 'http://p:1', NO_PROXY: exceptions })
    expect(proxied).toBe(isDirect ? undefined : 'http://p:1')
    expect(proxyFor(server, { https_proxy: 'http://p:1', no_proxy: exceptions })).toBe(proxied)
  })

  test('uses HTTP if it has no scheme', () => {
    expect(proxyFor('https://api.example', { HTTPS_PROXY: 'proxy:3128' })).toBe('http://proxy:3128')
    expect(proxyFor('http://api.example', { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:1' })).toBe('http://a:1')
    expect(proxyFor('https://api.example', { HTTPS_PROXY: 'socks5://a:1' })).toBe('socks5://a:1')
  })

  test('is not used without the variables, or with NO_PROXY=*', () => {
    expect(proxyFor('https://api.example', {})).toBeUndefined()
    expect(proxyFor('https://api.example', { https_proxy: 'http://p', NO_PROXY: '*' })).toBeUndefined()
    expect(proxyFor('https://api.example', { https_proxy: 'http://p' })).toBe('http://p')
  })
})
