// The connection to a game by link. It reconnects, and repeats commands without an answer: the server executes a
// repeated command once.
import * as api from './api';
import type { GameState, Side } from './types';

export type Status = 'connecting' | 'open' | 'lost' | 'elsewhere' | 'gone';

interface Calls {
  state(state: GameState, you: Side | null): void;
  status(status: Status): void;
  refused(message: string): void;
}

type Command = { type: string; id: string; [key: string]: unknown };

/** An id for a command. `randomUUID` is missing over plain HTTP from another machine. */
const fresh = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, '0')).join('');

const PING = 20_000;
const PATIENCE = 10_000;

export class Connection {
  private socket: WebSocket | null = null;
  private game: GameState | null = null;
  private you: Side | null = null;
  private pending = new Map<string, Command>();
  private delay = 400;
  private retryTimer = 0;
  private pingTimer = 0;
  private pongTimer = 0;
  private closed = false;

  constructor(
    private readonly id: string,
    private readonly secret: string | null,
    private readonly calls: Calls,
  ) {
    addEventListener('online', this.retryNow);
    document.addEventListener('visibilitychange', this.retryNow);
    this.open();
  }

  /** Sends a command now, or after reconnecting. */
  send(type: string, more: Record<string, unknown> = {}): void {
    const command: Command = { type, id: fresh(), ...more };
    this.pending.set(command.id, command);
    this.write(command);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retryTimer);
    clearInterval(this.pingTimer);
    clearTimeout(this.pongTimer);
    removeEventListener('online', this.retryNow);
    document.removeEventListener('visibilitychange', this.retryNow);
    this.socket?.close();
  }

  /** Takes the seat back from another window. */
  reopen(): void {
    this.closed = false;
    this.open();
  }

  private readonly retryNow = (): void => {
    if (this.closed || document.visibilityState === 'hidden' || this.socket) return;
    clearTimeout(this.retryTimer);
    this.delay = 400;
    this.open();
  };

  private open(): void {
    this.calls.status('connecting');
    const { protocol, host } = location;
    const after = this.game ? `?after=${this.game.seq}` : '';
    const socket = new WebSocket(
      `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/games/${encodeURIComponent(this.id)}/ws${after}`,
    );
    this.socket = socket;
    socket.onopen = () => {
      this.hello();
      clearInterval(this.pingTimer);
      this.pingTimer = window.setInterval(() => this.sendPing(), PING);
    };
    socket.onmessage = (event) => {
      clearTimeout(this.pongTimer);
      if (socket === this.socket) this.receive(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.socket = null;
      clearInterval(this.pingTimer);
      clearTimeout(this.pongTimer);
      if (!this.closed) void this.reconnect();
    };
  }

  private async reconnect(): Promise<void> {
    this.calls.status('lost');
    try {
      await api.game(this.id);
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 404) {
        this.closed = true;
        this.calls.status('gone');
        return;
      }
    }
    if (this.closed || this.socket) return;
    this.retryTimer = window.setTimeout(() => this.open(), this.delay * (0.75 + Math.random() / 2));
    this.delay = Math.min(8000, this.delay * 1.7);
  }

  private sendPing(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send('{"type":"ping"}');
    clearTimeout(this.pongTimer);
    this.pongTimer = window.setTimeout(() => this.socket?.close(), PATIENCE);
  }

  private hello(): void {
    this.socket?.send(JSON.stringify({ type: 'hello', secret: this.secret, after: this.game?.seq ?? null }));
  }

  private write(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN && this.game) this.socket.send(JSON.stringify(command));
  }

  private receive(frame: any): void {
    switch (frame.type) {
      case 'state': {
        const { type: _, you, ...state } = frame;
        this.game = state as GameState;
        this.you = you ?? this.you;
        this.ready();
        break;
      }
      case 'resumed':
        this.you = frame.you ?? this.you;
        this.ready();
        break;
      case 'event':
        this.apply(frame);
        break;
      case 'ok':
        this.pending.delete(frame.id);
        break;
      case 'refused':
        if (frame.id) this.pending.delete(frame.id);
        this.calls.refused(frame.message);
        if (this.game) this.calls.state(this.game, this.you);
        break;
      case 'taken_over':
        this.closed = true;
        this.calls.status('elsewhere');
        break;
    }
  }

  private ready(): void {
    this.delay = 400;
    this.calls.status('open');
    if (this.game) this.calls.state(this.game, this.you);
    for (const command of this.pending.values()) this.write(command);
  }

  private apply(event: any): void {
    const { type: _, kind, turn, seq, ...fields } = event;
    if (!this.game || (kind !== 'present' && seq <= this.game.seq)) return;
    if (kind !== 'present' && seq !== this.game.seq + 1) {
      // An event was missed: ask for the whole state.
      this.game = { ...this.game, seq: -1 };
      this.socket?.send(JSON.stringify({ type: 'hello', secret: this.secret, after: null }));
      return;
    }
    const next: GameState = { ...this.game, ...fields, seq: kind === 'present' ? this.game.seq : seq };
    if (turn) {
      next.turns = [...this.game.turns, turn.move];
      next.positions = [...this.game.positions, turn.position];
      next.last_turn_unix_ms = fields.last_turn_unix_ms ?? Date.now();
    }
    this.game = next;
    this.calls.state(next, this.you);
  }
}
