import { expect, test } from 'vitest'
import { shownServer } from './shown-server.ts'

test.each([
  ['https://10.0.0.1:6443', 'https://10.0.0.1:6443'],
  ['http://127.0.0.1:40123/a-token', 'http://127.0.0.1:40123'],
  ['https://ada:password@api.example/k8s/clusters/c-1?a=b', 'https://api.example'],
  ['nonsense', 'nonsense'],
])('%s is shown as %s', (server, shown) => expect(shownServer(server)).toBe(shown))
