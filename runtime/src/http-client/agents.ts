// What is used of undici. A module of its own, so that it is loaded when there is something to connect to: that takes 80 ms,
// which commands without a cluster should not pay.
export { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici'
